import { MAX_TARGET_BYTES } from '../../../data/query/parameter.ts';
import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { randomFaultyQuery, randomQuery, spell } from '../../oracle/random-query.ts';
import { damageBytes } from '../../support/damage-bytes.ts';
import type { Random } from '../../support/random.ts';

/** Texts that are at the edge of something, or mean something to some parser. */
const ODDITIES: readonly string[] = [
  ...'0 -0 -1 1e9 0x10 1_000 2147483648 9007199254740993 999999999.99 999999.999 ٣ NaN Infinity null undefined'.split(
    ' ',
  ),
  ...'__proto__ constructor toString hasOwnProperty [object_Object] + . .. ../../etc/passwd % %% %2 %zz %00 %ff'.split(
    ' ',
  ),
  ...'%c0%80 %ed%a0%80 %F0%9F%93%B1 %e2%80%ae %ef%bb%bf %0d%0aX-Injected:%20yes <script> " \' ` ; | \\ ${7*7} # ? *'.split(
    ' ',
  ),
  ...'{ } ( ) [ ] {{{{ )))) , ,, = & && ;  eq{ eq{} eq{,} deals( products() %28 %29 %7B %7D %2C %25'.split(' '),
  ...'\u0001 \u007f \u00e9 \u00ff %F4%90%80%80 %u0041 %E0%80%AF %c3 %C3%A9'.split(' '),
  ...'filter filter[ filter[[id]]=eq{1} filter[id][id]=eq{1} cursor=0 cursor=00000000000000000000000000000000'.split(
    ' ',
  ),
  ...'// /./ /../ /%2e%2e/ /;/ http://h https://u:p@[::1]:1 HTTP:// ftp://h h:443 \t'.split(' '),
];

/** A request target that may mean anything or nothing: one that a client may send, damaged several times. */
export function randomTarget(random: Random, catalogue: OracleCatalogue): string {
  const draw = () => spell(random, (random.isLikely(0.5) ? randomQuery : randomFaultyQuery)(random, catalogue));
  let target = draw();
  // Words of the interface are put where they mean nothing.
  const tokens = [...ODDITIES, ...draw().split(/[^\w-]+/)].map((token) => Buffer.from(token));
  for (let damages = random.pick([0, 1, 1, 2, 3, 8]); damages > 0; damages--) {
    target = random.isLikely(0.7)
      ? damageBytes(random, Buffer.from(target, 'latin1'), tokens).toString('latin1')
      : random.pick(REWRITES)(random, target, draw);
  }
  // The parser lets no longer one through.
  return target.slice(0, 4 * MAX_TARGET_BYTES);
}

const REWRITES: readonly ((random: Random, target: string, draw: () => string) => string)[] = [
  // Encoded, though it need not be; and once more.
  (random, target) => {
    const at = random.below(target.length);
    return (
      target.slice(0, at) + target.slice(at, at + 1 + random.below(9)).replaceAll(/./g, escape) + target.slice(at + 9)
    );
  },
  (_, target) => target.replaceAll('%', '%25'),
  (random, target) => {
    const at = random.below(target.length);
    return target.slice(0, at) + target.slice(at).toUpperCase();
  },
  (_, target) => `${target}&${target.slice(target.indexOf('?') + 1)}`,
  (_, target, draw) => `${target}&${draw().split('?')[1] ?? ''}`,
  (random, target) => random.pick(ODDITIES) + target,
  (random, target) => random.pick([target.replace('?', ''), target.replaceAll('&', '&&'), target.replaceAll('=', '')]),
  // A part of it until it is too long; that takes as long as a hundred others.
  (random, target) => {
    const part = target.slice(random.below(target.length)).slice(0, random.pick([1, 3, 10, 100]));
    const most = Math.ceil((MAX_TARGET_BYTES * 1.1) / (part.length + 1));
    return target + part.repeat(random.isLikely(0.05) ? most : 2);
  },
];

const escape = (character: string): string => `%${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`;
