// A bot for matcha: lays a card that matches where it can, and passes otherwise.
// matcha practice --bot 'cmd:node protocol/bots/example.js'
const lines = require('readline').createInterface({ input: process.stdin });

const say = (message) => process.stdout.write(JSON.stringify(message) + '\n');

// A move such as 2b is a card 1..5 and a mat a..f.
const parts = (move) => [Number(move[0]) - 1, 'abcdef'.indexOf(move[1])];

// Even mats demand the number, odd ones the suit; a zero matches nowhere.
function matches(seen, move) {
  const [slot, mat] = parts(move);
  const card = seen.hand[slot];
  const at = mat % 2 ? 0 : 1;
  return card !== 'Z' && card[at] === seen.game.table[mat][at];
}

function choose(seen) {
  if (seen.game.phase.kind === 'keeping') return seen.legal[seen.legal.length - 1]; // all of them
  const plays = seen.legal.filter((move) => move !== 'p');
  const matching = plays.find((move) => matches(seen, move));
  if (matching) return matching;
  const rounds = seen.game.rounds.length; // in the last round, nothing is worth saving
  return rounds === 3 && plays.length ? plays[0] : 'p';
}

lines.on('line', (line) => {
  const message = JSON.parse(line);
  switch (message.do) {
    case 'hello':
      say({ v: 1, name: 'example', editions: ['2015', '2020'] });
      break;
    case 'choose':
      say({ id: message.id, info: { legal: message.observation.legal.length } });
      say({ id: message.id, move: choose(message.observation) });
      break;
    case 'quit':
      process.exit(0);
  }
});
