/** Where a text stops being JSON, and what would have gone on. */
export interface JsonFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}

type Container = 'object' | 'list';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

/**
 * The first fault of a text that `JSON.parse` has refused; undefined when there is none. `JSON.parse` itself says
 * neither line nor column, and its sentences change with the version of Node.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const containers: Container[] = [];
  let offset = skip(SPACE, text, 0);
  let expects: 'value' | 'value or ]' | 'key' | 'key or }' | 'separator' = 'value';

  for (;;) {
    const character = text[offset];
    if (expects === 'separator') {
      const container = containers.at(-1);
      if (container === undefined) {
        return character === undefined ? undefined : faultAt(text, offset, 'the end of the file');
      }
      const close = container === 'object' ? '}' : ']';
      if (character === close) containers.pop();
      else if (character === ',') expects = container === 'object' ? 'key' : 'value';
      else return faultAt(text, offset, `"," or "${close}"`);
      offset = skip(SPACE, text, offset + 1);
      continue;
    }
    if (expects === 'key' || expects === 'key or }') {
      if (character === '}' && expects === 'key or }') {
        containers.pop();
        expects = 'separator';
        offset = skip(SPACE, text, offset + 1);
        continue;
      }
      if (character !== '"') return faultAt(text, offset, 'a key in double quotes');
      const end = endOfString(text, offset);
      if (typeof end !== 'number') return end;
      const colon = skip(SPACE, text, end);
      if (text[colon] !== ':') return faultAt(text, colon, '":"');
      offset = skip(SPACE, text, colon + 1);
      expects = 'value';
      continue;
    }
    if (character === ']' && expects === 'value or ]') {
      containers.pop();
      expects = 'separator';
      offset = skip(SPACE, text, offset + 1);
    } else if (character === '{' || character === '[') {
      containers.push(character === '{' ? 'object' : 'list');
      expects = character === '{' ? 'key or }' : 'value or ]';
      offset = skip(SPACE, text, offset + 1);
    } else {
      const end =
        character === '"' ? endOfString(text, offset) : Math.max(skip(NUMBER, text, offset), skip(WORD, text, offset));
      if (typeof end !== 'number') return end;
      if (end === offset) return faultAt(text, offset, 'a value');
      expects = 'separator';
      offset = skip(SPACE, text, end);
    }
  }
}

/** The offset after what `pattern` matches at `offset`, or `offset` itself. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

function endOfString(text: string, start: number): number | JsonFault {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"') return i + 1;
    if (character < ' ') return faultAt(text, i, 'the end of the text that begins on this line, or an escape');
    if (character === '\\') {
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(i + 1, i + 6)))
        return faultAt(text, i, 'an escape of JSON');
      i++;
    }
  }
  return faultAt(text, text.length, 'a double quote');
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function faultAt(text: string, offset: number, expected: string): JsonFault {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const found = text[offset];
  return {
    line: countLineFeeds(before) + 1,
    column: offset - lineStart + 1,
    expected,
    found: found === undefined ? 'the end of the file' : JSON.stringify(found),
  };
}
