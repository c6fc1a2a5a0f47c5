/** A turn of Kashi-ichi, action by action (SPEC, Kashi-ichi). */

import { TILES, around, joined, sum } from "./board.js";
import { need } from "./check.js";

/**
 * @typedef {object} Keeper a seat and what it has
 * @property {number} person its square, or 0 @property {number} gold @property {number[]} goods
 * @property {number} points @property {number[]} shops the square of each shop on the board
 * @property {number} hand @property {number} aside @property {number[]} done its orders
 */

const [GO, SHOP, ORDER] = [100_000, 10_000, 1_000_000];
const [DECLINED, PLACED] = [10_000, 20_000];

/** @param {boolean} holds */
function require(holds) {
  need(holds, "E_RULE");
}

/** A running turn, on a copy of the game. */
export class Turn {
  bought = [0, 0, 0, 0, 0];
  taken = 0;
  done = 0;

  /**
   * @param {import("./board.js").Board} board @param {Keeper[]} players @param {number[]} row
   * @param {number} seat @param {number} ap
   */
  constructor(board, players, row, seat, ap) {
    this.board = board;
    this.players = players.map((player) => ({
      ...player,
      goods: [...player.goods],
      shops: [...player.shops],
      done: [...player.done],
    }));
    this.row = [...row];
    this.own = this.players[seat];
    /** The squares of the person's way, for watchers. */
    this.way = [this.own.person];
    this.ap = ap;
  }

  /** @param {number} number an action, as it is signed */
  act(number) {
    require(this.ap > 0);
    this.ap -= 1;
    if (number >= ORDER) this.fulfil(Math.floor(number / ORDER), number % ORDER);
    else if (number >= GO) this.go(Math.floor((number - GO) / 10), (number % 10) - 1);
    else if (number >= SHOP) this.lay(number - SHOP);
    else if (number) this.buy(number - 2);
    else this.takeGold();
  }

  takeGold() {
    require(this.taken < 2);
    this.taken += 1;
    this.own.gold += 3;
  }

  /** @param {number} square @param {number} owner of the chain, or -1 for a step */
  go(square, owner) {
    const { board, own } = this;
    const { grid } = board;
    require(square in grid && square !== own.person);
    require(around(own.person, grid).includes(square) === owner < 0);
    if (owner >= 0) {
      require(owner < this.players.length);
      const { shops } = this.players[owner];
      /** @param {number} end @returns {number[]} the owner's shops there */
      const touched = (end) =>
        [end, ...around(end, grid)].filter((each) => shops.includes(each));
      const exits = touched(square);
      const chains = touched(own.person).flatMap((shop) => joined(shop, shops, grid));
      require(chains.some((each) => exits.includes(each)));
      if (this.players[owner] !== own) this.players[owner].gold += 1;
    }
    own.person = square;
    this.way.push(square);
  }

  /** @param {number} back the good that is given back, or -1 */
  buy(back) {
    const { own } = this;
    const good = TILES.indexOf(this.board.grid[own.person]);
    require(good >= 0 && good < 5 && own.gold >= 2 && this.bought[good] < 2);
    require((sum(own.goods) === 8) === back >= 0);
    own.gold -= 2;
    if (back >= 0) {
      require(own.goods[back] > 0);
      own.goods[back] -= 1;
    }
    own.goods[good] += 1;
    this.bought[good] += 1;
  }

  /** @param {number} taken the square from which a shop is taken back, or 0 */
  lay(taken) {
    const { own } = this;
    require(this.isGround(own.person) && this.isEmpty(own.person));
    require((taken === 0) === own.hand > 0);
    if (taken) {
      const place = own.shops.indexOf(taken);
      require(place >= 0);
      own.shops.splice(place, 1);
      own.hand = 1;
    }
    this.put(own.person, this.price(own.person));
  }

  /** @param {number} square @returns {boolean} whether it is a square of an area */
  isGround(square) {
    return square in this.board.grid && !TILES.includes(this.board.grid[square]);
  }

  /** @param {number} square @returns {boolean} whether it has no shop */
  isEmpty(square) {
    return !this.players.some(({ shops }) => shops.includes(square));
  }

  /** @param {number} square @returns {number} the gold for another shop there */
  price(square) {
    const chain = joined(square, this.own.shops, this.board.grid);
    return 1 + this.own.shops.filter((shop) => chain.includes(shop)).length;
  }

  /** @param {number} square @param {number} price */
  put(square, price) {
    require(this.own.gold >= price);
    this.own.gold -= price;
    this.own.hand -= 1;
    this.own.shops.push(square);
  }

  /** @param {number} number @param {number} wish */
  fulfil(number, wish) {
    const { board, own, row } = this;
    require(row.includes(number));
    const order = board.orders[number - 1];
    require(board.grid[own.person] === TILES[5 + order.guest]);
    own.goods = own.goods.map((held, good) => held - order.goods[good]);
    require(Math.min(...own.goods) >= 0);
    row.splice(row.indexOf(number), 1);
    own.done.push(number);
    this.done += 1;
    if (wish !== DECLINED) this.takeBonus(order, wish);
  }

  /** @param {import("./board.js").Order} order @param {number} wish */
  takeBonus(order, wish) {
    const { own } = this;
    this.ap += order.ap;
    own.gold += order.gold;
    if (order.shop) this.place(order.shop, wish - PLACED);
    const chosen = order.shop || !wish ? [] : [...String(wish)].map(Number);
    require(chosen.length === order.chosen);
    require(chosen.every((good) => good >= 1 && good <= 5));
    for (const good of chosen) own.goods[good - 1] += 1;
    own.goods = own.goods.map((held, good) => held + order.named[good]);
  }

  /** @param {string} kind of the bonus @param {number} square */
  place(kind, square) {
    require(this.own.hand > 0 && this.isGround(square));
    require(kind !== "shop/2" || this.isEmpty(square));
    this.put(square, kind === "shop free any" ? 0 : Math.floor(this.price(square) / 2));
  }
}
