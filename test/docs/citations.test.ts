import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Every text that may cite a rule. This file is not one: it has citations that must not resolve. */
const FILES = fg
  .sync(['*.md', '{cli,server,data,build,test}/**/*.{ts,js,css,html,sh,conf,yml,md}'], {
    cwd: ROOT,
    ignore: ['**/node_modules/**', 'data/sample/**/*.html', 'test/docs/citations.test.ts'],
  })
  .sort();

/** The headings of `data/spec/` that citations name. */
interface Rules {
  /** `4.2` of `interface.md`. */
  readonly sections: ReadonlySet<string>;
  /** `D11` of `decisions.md`, and its name. */
  readonly decisions: ReadonlyMap<string, string>;
  /** `Matching` of `inputs.md`. */
  readonly inputs: ReadonlySet<string>;
}

const RULES: Rules = {
  sections: new Set(headingsOf('interface.md').flatMap((text) => /^[0-9]+(?:\.[0-9]+)*/.exec(text) ?? [])),
  decisions: new Map(
    headingsOf('decisions.md').map((text) => {
      const [number = '', ...name] = text.split(' ');
      return [number, name.join(' ')];
    }),
  ),
  inputs: new Set(headingsOf('inputs.md').map((text) => text.replaceAll('`', ''))),
};

interface Citation {
  readonly line: number;
  readonly text: string;
  readonly resolves: boolean;
}

describe('citations', () => {
  const cited = FILES.map((file) => ({
    file,
    citations: findCitations(readFileSync(join(ROOT, file), 'utf8'), RULES),
  }));

  it.each(['cli', 'server', 'data', 'build', 'test', 'README'])('of %s resolve to a heading of data/spec', (start) => {
    const unresolved = cited
      .filter(({ file }) => file.startsWith(`${start}/`) || (start === 'README' && !file.includes('/')))
      .flatMap(({ file, citations }) =>
        citations.filter(({ resolves }) => !resolves).map(({ line, text }) => `${file}:${line} ${text}`),
      );
    expect(unresolved).toEqual([]);
  });

  it('are found in the folders that cite rules', () => {
    for (const folder of ['server/', 'data/', 'build/', 'test/']) {
      const count = cited
        .filter(({ file }) => file.startsWith(folder))
        .reduce((sum, { citations }) => sum + citations.length, 0);
      expect(count, folder).toBeGreaterThan(20);
    }
  });
});

describe('data/spec', () => {
  it('has the decisions in order, each once, with a name of its own', () => {
    const numbers = headingsOf('decisions.md').map((text) => text.split(' ')[0]);
    expect(numbers).toEqual(numbers.map((_, i) => `D${i + 1}`));
    expect(new Set(RULES.decisions.values()).size).toBe(numbers.length);
    expect([...RULES.decisions.values()]).not.toContain('');
  });

  it.each(['interface.md', 'inputs.md'])('has no heading twice in %s', (file) => {
    const headings = headingsOf(file);
    expect(headings).toEqual([...new Set(headings)]);
  });
});

describe('the search for citations', () => {
  const rules: Rules = {
    sections: new Set(['4', '4.2', '2.11']),
    decisions: new Map([['D11', 'cheapest deal']]),
    inputs: new Set(['Matching', 'Plus', 'A source is held, not the build']),
  };

  it.each([
    ['D11', ['D11']],
    ['(D11, D11 cheapest deal)', ['D11', 'D11']],
    ['(spec §4.2)', ['§4.2']],
    ['spec §2.11, §4 to §4.2', ['§2.11', '§4', '§4.2']],
    ['INPUTS "Matching"', ['INPUTS "Matching"']],
    ['(INPUTS "Matching", "Plus")', ['INPUTS "Matching"', 'INPUTS "Plus"']],
    ['(INPUTS\n * "Matching",\n * "Plus")', ['INPUTS "Matching"', 'INPUTS "Plus"']],
    ['(INPUTS "A source is held, not\n // the build")', ['INPUTS "A source is held, not the build"']],
    ['the label of INPUTS for a name', ['INPUTS']],
  ])('resolves %j', (text, citations) => {
    expect(findCitations(text, rules).map(({ text: cited, resolves }) => [cited, resolves])).toEqual(
      citations.map((cited) => [cited, true]),
    );
  });

  it.each([
    ['a\nb\n/** Last (D99). */', 'D99', 3],
    ['\n(spec §4.9)', '§4.9', 2],
    ['(RFC 9110 §4.2; spec §4.3)', '§4.3', 1],
    ['(INPUTS "Matchings")', 'INPUTS "Matchings"', 1],
    ['(INPUTS "Matching",\n * "Minus")', 'INPUTS "Minus"', 1],
    ['(INPUTS)', 'INPUTS', 1],
    ['(INPUTS, "Matching")', 'INPUTS', 1],
    ['as INPUTS.md says', 'INPUTS.md', 1],
  ])('finds that %j does not resolve', (text, citation, line) => {
    expect(findCitations(text, rules).filter(({ resolves }) => !resolves)).toEqual([
      { line, text: citation, resolves: false },
    ]);
  });

  it.each(['RFC 9110 §13.1.2', 'RFC 9112 §2.3, §3.2, §6.3', "['9112 §7.1', 'a body in chunks']", 'ID3', 'D1x'])(
    'leaves %j alone',
    (text) => {
      expect(findCitations(text, rules)).toEqual([]);
    },
  );
});

/** Texts of the headings of a file of `data/spec/`, but for its title. */
function headingsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'data/spec', file), 'utf8');
  return [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading);
}

const DECISION = /\bD[0-9]+\b/g;
const SECTION = /§([0-9]+(?:\.[0-9]+)*)/g;
/** The end of a text after which `§` is a section of an RFC: its number, and other sections of it. */
const AFTER_RFC = /\b[0-9]{4}[\s*/]+(?:§[0-9.]+(?:,[\s*/]+| and | to ))*$/;
const RFC_LENGTH = 80;
/** `INPUTS`, its bracket, and the headings in quotes; between them may be the start of the next line of a comment. */
const INPUTS = /(\(?)\bINPUTS\b(\.md)?((?:[\s*/]+"[^"]{1,80}"(?:,[\s*/]+"[^"]{1,80}")*)?)/g;

/** Every citation of a text: decisions, then sections, then headings of `inputs.md`. */
function findCitations(text: string, rules: Rules): readonly Citation[] {
  const cite = (index: number, cited: string, resolves: boolean): Citation => ({
    line: text.slice(0, index).split('\n').length,
    text: cited,
    resolves,
  });
  const decisions = Array.from(text.matchAll(DECISION), ({ 0: cited, index }) =>
    cite(index, cited, rules.decisions.has(cited)),
  );
  const sections = [...text.matchAll(SECTION)]
    .filter(({ index }) => !AFTER_RFC.test(text.slice(Math.max(0, index - RFC_LENGTH), index)))
    .map(({ 0: cited, 1: number = '', index }) => cite(index, cited, rules.sections.has(number)));
  const inputs = [...text.matchAll(INPUTS)].flatMap(({ 1: bracket, 2: suffix = '', 3: list = '', index }) => {
    const headings = Array.from(list.matchAll(/"([^"]+)"/g), ([, heading = '']) =>
      heading.replaceAll(/\s*\n[\s*/]*/g, ' '),
    );
    // In a sentence `INPUTS` names the whole page. In brackets it is a citation, which needs a heading.
    if (suffix !== '' || headings.length === 0) {
      return [cite(index, `INPUTS${suffix}`, suffix === '' && bracket === '')];
    }
    return headings.map((heading) => cite(index, `INPUTS "${heading}"`, rules.inputs.has(heading)));
  });
  return [...decisions, ...sections, ...inputs];
}
