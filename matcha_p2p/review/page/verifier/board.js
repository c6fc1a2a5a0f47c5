/** The board of Kashi-ichi, read from its text (SPEC, Kashi-ichi). */

import { CheckError, need } from "./check.js";
import { checkName } from "./names.js";

/**
 * @typedef {object} Order
 * @property {number[]} goods @property {number} guest @property {number} points
 * @property {number} ap @property {number} gold @property {number[]} named
 * @property {number} chosen @property {string} shop the word of its bonus, or ""
 * @property {boolean} settles
 */
/** @typedef {{ gold: number[], points: number[], hand: number, later: number }} Begin */
/**
 * @typedef {object} Board
 * @property {string} text @property {string[]} rows the letters, row by row
 * @property {string[]} names of the goods, and then of the guests
 * @property {Record<number, string>} grid the letter of each square
 * @property {number[]} starts @property {[string, number[]][]} areas @property {number[]} ap
 * @property {Record<number, Begin>} begins by the number of seats
 * @property {Order[]} orders of which order i stands at place i − 1 @property {number} idle
 */

export const TILES = "12345ABC";
const SHOPS = ["", "shop/2", "shop/2 any", "shop free any"];
export const SHIPPED =
  '[["rice","chestnut","plum","honey","tea"],["temple","theatre","harbour"],["5aa1abA",' +
  '"aaaaabb","ddmmmbb","Cdmmmb2","ddmmmbb","ddccccc","4dcBcc3"],["3,3","3,5","5,3","5,5"],' +
  '[["a",[3,2,1]],["b",[3,2,1]],["c",[3,2,1]],["d",[3,2,1]],["m",[6,3,1]]],[3,4,5,5],[[[4,' +
  "6,6],[10,10,11],8,3],[[5,5,5,5],[10,10,11,13],7,2]],[[1,[1,1,0,0,0],0,6,[2,0,[0,0,0,0," +
  '0],0,""],0],[2,[1,0,1,0,0],1,7,[0,2,[0,0,0,0,0],0,""],0],[3,[1,0,0,1,0],2,6,[0,0,[0,0,0,' +
  '0,0],0,"shop/2"],0],[4,[1,0,0,0,1],0,6,[2,0,[0,0,0,0,0],0,""],0],[5,[0,1,1,0,0],1,7,[0,' +
  '0,[0,0,0,0,0],1,""],0],[6,[0,1,0,1,0],2,7,[0,2,[0,0,0,0,0],0,""],0],[7,[0,1,0,0,1],0,6,' +
  '[0,0,[0,0,0,0,0],0,"shop/2"],0],[8,[0,0,1,1,0],1,7,[0,0,[0,0,0,0,0],1,""],0],[9,[0,0,1,' +
  '0,1],2,7,[0,2,[0,0,0,0,0],0,""],0],[10,[0,0,0,1,1],0,6,[0,0,[0,0,0,0,0],0,"shop/2"],0],' +
  '[11,[1,1,1,0,0],1,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],[12,[1,1,0,1,0],2,11,[0,3,[0,0,' +
  '0,0,0],0,""],0],[13,[1,0,1,0,1],0,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],[14,[1,0,0,1,' +
  '1],1,11,[0,1,[0,0,0,0,0],1,""],0],[15,[0,1,1,1,0],2,11,[0,3,[0,0,0,0,0],0,""],0],[16,[0,' +
  '1,1,0,1],0,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],[17,[0,1,0,1,1],1,11,[0,1,[0,0,0,0,0],' +
  '1,""],0],[18,[2,0,0,1,0],2,11,[0,3,[0,0,0,0,0],0,""],0],[19,[0,2,0,0,1],0,10,[0,0,[0,0,' +
  '0,0,0],0,"shop/2 any"],0],[20,[1,0,2,0,0],1,11,[0,1,[0,0,0,0,0],1,""],0],[21,[0,0,1,2,' +
  '0],2,11,[0,3,[0,0,0,0,0],0,""],0],[22,[1,1,1,0,1],0,15,[0,0,[0,0,0,0,0],0,' +
  '"shop free any"],0],[23,[1,0,1,1,1],1,16,[0,2,[0,0,0,0,0],1,""],0],[24,[0,1,1,1,1],2,16,' +
  '[0,4,[0,0,0,0,0],0,""],0],[25,[1,1,0,1,1],0,15,[0,0,[0,0,0,0,0],0,"shop free any"],0],' +
  '[26,[1,1,1,1,0],1,15,[0,0,[0,0,0,0,0],0,"shop free any"],0],[27,[0,1,1,0,2],2,16,[0,2,' +
  '[0,0,0,0,0],1,""],0],[28,[1,0,0,1,2],0,16,[0,4,[0,0,0,0,0],0,""],1],[29,[2,1,0,0,1],1,' +
  '15,[0,0,[0,0,0,0,0],0,"shop free any"],1],[30,[0,0,2,1,1],2,15,[0,0,[0,0,0,0,0],0,' +
  '"shop free any"],1]],20]';

/** @param {number} square @param {Board["grid"]} grid @returns {number[]} the squares next to it */
export function around(square, grid) {
  return [1, -1, 100, -100].map((step) => square + step).filter((next) => next in grid);
}

/**
 * @param {number} square @param {number[]} ground @param {Board["grid"]} grid
 * @returns {number[]} `square` and the squares of `ground` joined to it side to side
 */
export function joined(square, ground, grid) {
  const found = [square];
  for (const each of found)
    for (const next of around(each, grid))
      if (ground.includes(next) && !found.includes(next)) found.push(next);
  return found;
}

/** @param {boolean} holds */
function require(holds) {
  need(holds, "E_GAME");
}

/** @param {unknown} data @param {number} [size] @returns {unknown[]} */
function array(data, size) {
  if (!Array.isArray(data)) throw new CheckError("E_GAME");
  require(size === undefined || data.length === size);
  return data;
}

/** @param {unknown} data @returns {string} */
function text(data) {
  if (typeof data !== "string") throw new CheckError("E_GAME");
  return data;
}

/** @param {unknown} data @param {number} most @param {number} least @returns {number} */
function integer(data, most, least = 0) {
  if (typeof data !== "number") throw new CheckError("E_GAME");
  require(Number.isInteger(data) && least <= data && data <= most);
  return data;
}

/** @param {unknown} data @param {number} size @param {number} most @returns {number[]} */
function integers(data, size, most) {
  return array(data, size).map((item) => integer(item, most));
}

/** @param {unknown[]} items @returns {boolean} whether all differ */
function differ(items) {
  return new Set(items).size === items.length;
}

/** @param {number[]} counts @returns {number} */
export function sum(counts) {
  return counts.reduce((all, count) => all + count, 0);
}

/** @param {unknown} data @param {number} size @returns {string[]} */
function namesOf(data, size) {
  const names = array(data, size).map(text);
  require(differ(names));
  names.forEach(checkName);
  return names;
}

/** @param {unknown} data @returns {Board["grid"]} */
function gridOf(data) {
  const rows = array(data).map(text);
  require(rows.length >= 1 && rows.length <= 20);
  require(rows[0].length >= 1 && rows[0].length <= 20);
  require(rows.every((row) => /^[1-5A-Ca-z#]*$/.test(row) && row.length === rows[0].length));
  const tiles = [...rows.join("")].filter((letter) => TILES.includes(letter));
  require(tiles.sort().join("") === TILES);
  /** @type {Board["grid"]} */
  const grid = {};
  for (const [row, letters] of rows.entries())
    for (const [column, letter] of [...letters].entries())
      if (letter !== "#") grid[100 * (row + 1) + column + 1] = letter;
  return grid;
}

/** @param {unknown} data @param {Board["grid"]} grid @returns {Board["areas"]} */
function areasOf(data, grid) {
  const letters = Object.values(grid).filter((letter) => !TILES.includes(letter));
  const areas = array(data).map((item) => array(item, 2));
  require(areas.map(([letter]) => text(letter)).join() === [...new Set(letters)].sort().join());
  return areas.map(([letter, data]) => {
    const [first, second, third] = integers(data, 3, 99);
    require(first >= second && second >= third);
    return [text(letter), [first, second, third]];
  });
}

/** @param {unknown} data @param {number} seats @returns {Begin} */
function beginOf(data, seats) {
  const [gold, points, hand, later] = array(data, 4);
  return {
    gold: integers(gold, seats, 99),
    points: integers(points, seats, 99),
    hand: integer(hand, 20, 1),
    later: integer(later, 20, 1),
  };
}

/** @param {unknown} data @param {number} place @returns {Order} */
function orderOf(data, place) {
  const [number, goods, guest, points, bonus, settles] = array(data, 6);
  const [ap, gold, named, chosen, shop] = array(bonus, 5);
  integer(number, place + 1, place + 1);
  const order = {
    goods: integers(goods, 5, 4),
    guest: integer(guest, 2),
    points: integer(points, 99),
    ap: integer(ap, 2),
    gold: integer(gold, 99),
    named: integers(named, 5, 4),
    chosen: integer(chosen, 4),
    shop: text(shop),
    settles: integer(settles, 1) === 1,
  };
  const [cost, gain] = [sum(order.goods), sum(order.named) + order.chosen];
  require(cost >= 2 && cost <= 4 && (cost === 4 || !order.settles));
  require(gain <= cost && order.ap !== 1 && SHOPS.includes(order.shop));
  require(!order.chosen || !order.shop);
  require(order.ap + order.gold + gain > 0 || order.shop !== "");
  return order;
}

/** @param {string} written @returns {Board} @throws {CheckError} it is no board */
function checked(written) {
  const data = array(JSON.parse(written), 9);
  const [goods, guests, grid, starts, areas, ap, begins, orders, idle] = data;
  const tiles = [...namesOf(goods, 5), ...namesOf(guests, 3)];
  const squares = gridOf(grid);
  const all = Object.keys(squares).map(Number);
  const names = all.map((square) => `${Math.floor(square / 100)},${square % 100}`);
  const places = array(starts, 4).map((start) => names.indexOf(text(start)));
  require(differ(places) && places.every((place) => place >= 0));
  const [three, four] = array(begins, 2);
  const board = {
    text: written,
    rows: array(grid).map(text),
    names: tiles,
    grid: squares,
    starts: places.map((place) => all[place]),
    areas: areasOf(areas, squares),
    ap: integers(ap, 4, 9),
    begins: { 3: beginOf(three, 3), 4: beginOf(four, 4) },
    orders: array(orders, 30).map(orderOf),
    idle: integer(idle, 999),
  };
  require(board.orders.filter(({ settles }) => settles).length === 3);
  require(board.starts.every((start) => !TILES.includes(squares[start])));
  require(joined(all[0], all, squares).length === all.length);
  const escaped = JSON.stringify(data).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  require(escaped === written);
  return board;
}

/** @param {string} written @returns {Board | undefined} undefined if it is no board */
export function readBoard(written) {
  try {
    return checked(written);
  } catch (error) {
    if (error instanceof CheckError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
