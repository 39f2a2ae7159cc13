import { NOTICES, quoteFound, type Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import { escapeControls } from '../source/quote.ts';

/** Notices about the outcome of a source, without its cause. */
const OUTCOME_CODES: ReadonlySet<Notice['code']> = new Set(['carried-forward', 'not-carried', 'withdrawn']);

/** Fewer quarantined records than this share are no cause of anything. */
const MIN_SHARE = 0.05;

/** So many more than before are, also where nothing is held; of fewer records a share says nothing. */
const MANY = 0.2;
const MIN_ROWS = 20;

const MAX_CAUSES = 3;

/**
 * Why a source is not served as its file has it: the file that could not be read, or what most of the quarantined records
 * have in common. Each cause comes once, with one thing to do.
 */
export function listCauses(source: SourceReport, notices: readonly Notice[], before?: SourceReport): readonly string[] {
  const own = notices.filter((notice) => notice.source === source.name);
  if (source.state !== 'fresh') {
    const unread = own.find(({ code }) => NOTICES[code].outcome === 'source' && !OUTCOME_CODES.has(code));
    return [escapeControls(describeUnread(source, unread))];
  }
  const inScope = source.read - source.outOfScope;
  const shareBefore = before === undefined ? 0 : before.quarantined / Math.max(1, before.read - before.outOfScope);
  const isMany = inScope >= MIN_ROWS && source.quarantined > inScope * (shareBefore + MANY);
  if ((source.held ?? []).length === 0 && !isMany) return [];
  const groups = new Map<string, { readonly first: Notice; count: number }>();
  for (const notice of own) {
    if (NOTICES[notice.code].outcome !== 'quarantined') continue;
    const key = keyOf(notice);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: notice, count: 1 });
    else group.count++;
  }
  return [...groups.values()]
    .filter(({ count }) => count > inScope * MIN_SHARE)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_CAUSES)
    .map(({ first, count }) =>
      escapeControls(`Quarantined: ${count} records of ${source.name}: ${describeGroup(first)}`),
    );
}

/** Records with an unknown name share it; others share the rule. */
function keyOf({ code, field, found }: Notice): string {
  return `${code} ${field ?? ''} ${code.startsWith('unknown-') ? (found ?? '') : ''}`;
}

function describeGroup(notice: Notice): string {
  const { code, field, found, expected } = notice;
  const { meaning, remedy } = NOTICES[code];
  const facts = [
    expected === undefined ? meaning : `expected ${expected}`,
    ...(found === undefined
      ? []
      : [`got ${quoteFound(found, notice)}${code.startsWith('unknown-') ? '' : ' and the like'}`]),
  ].join(', ');
  return `${field === undefined ? '' : `${field}: `}${facts}; ${notice.remedy ?? remedy}`;
}

/** The file, the line and what to do. */
function describeUnread({ name, state }: SourceReport, unread: Notice | undefined): string {
  if (unread === undefined || state === 'absent' || unread.code === 'source-missing') {
    const wanted = unread?.expected === undefined ? '' : `: expected ${unread.expected}`;
    return `Missing: ${name} has no file${wanted}; ${NOTICES['source-missing'].remedy}`;
  }
  const found = unread.found ?? name;
  // Most sentences end with what to do.
  return `Not read: ${found.includes('; ') ? found : `${found}; ${NOTICES[unread.code].remedy}`}`;
}
