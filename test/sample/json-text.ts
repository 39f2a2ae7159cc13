const LINE_WIDTH = 110;

/** JSON for people: two spaces, and what fits on a line stands on a line. */
export function formatJson(value: object): string {
  return `${format(value, '')}\n`;
}

function format(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = isList
    ? value.map((item) => format(item, inner))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${format(member, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (indent !== '' && !line.includes('\n') && indent.length + line.length <= LINE_WIDTH) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
