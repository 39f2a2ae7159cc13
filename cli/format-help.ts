import type { Help } from 'commander';

const INDENT = 2;
const DEEPER = 6;

/** A description beside its flag needs as much; where there is less, it stands on the lines below. */
const MIN_BESIDE = 40;

/** A flag, an argument or a command with what it means, in lines of no more than the width of the help. */
export function formatHelpItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const besideWidth = width - termWidth - 2 * INDENT;
  if (besideWidth >= MIN_BESIDE) {
    const lines = wrapText(description, besideWidth);
    return lines
      .map((line, i) => `${' '.repeat(INDENT)}${(i === 0 ? term : '').padEnd(termWidth + INDENT)}${line}`)
      .join('\n');
  }
  const below = wrapText(description, width - DEEPER).map((line) => `${' '.repeat(DEEPER)}${line}`);
  return [`${' '.repeat(INDENT)}${term}`, ...below].join('\n');
}

/** The text in lines of at most `width` signs, as far as its words allow. */
function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
