import { findElement } from '../lib/element.js';
import { createKeyForm, createKeyState } from '../lib/key-form.js';
import { onKeyChange } from '../lib/key.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { formatMoment } from './format-age.js';
import { readStatus } from './read-status.js';
import { showChanges } from './show-changes.js';
import { showFigures } from './show-figures.js';
import { showLeftOut } from './show-left-out.js';
import { showNames } from './show-names.js';
import { showPull } from './show-pull.js';
import { createSearch } from './show-search.js';
import { showSnapshots } from './show-snapshots.js';
import { showSources } from './show-sources.js';
import { showVerdict } from './show-verdict.js';
import { showWithoutDeals } from './show-without-deals.js';

/** The sections that are rendered again after each response; the search stays. */
const SECTIONS = {
  verdict: showVerdict,
  figures: showFigures,
  sources: showSources,
  'left-out': showLeftOut,
  names: showNames,
  'without-deals': showWithoutDeals,
  changes: showChanges,
  pull: showPull,
  snapshots: showSnapshots,
};

const content = findElement('content', HTMLElement);
const fault = findElement('fault', HTMLElement);
const readAt = findElement('read-at', HTMLElement);
const readAgain = findElement('read-again', HTMLButtonElement);

const search = createSearch((question) => {
  history.pushState(undefined, '', `?${new URLSearchParams(question).toString()}`);
});

/** Shows what the address asks about. */
function searchAddress() {
  const { record = '', target = '' } = Object.fromEntries(new URLSearchParams(location.search));
  if (record.trim() === '') search.clear();
  else void search.search(record.trim(), target.trim());
}

/** @type {AbortController | undefined} */
let asking;

/** Asks for the data and shows it; what was shown stays until there is an answer. */
async function load() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  readAgain.disabled = true;
  try {
    const result = await readStatus(signal);
    if ('status' in result) show(result.status);
    else refuse(result.refused);
  } catch (error) {
    if (signal.aborted) return;
    tell(createFailureNotice(error));
  }
  readAgain.disabled = false;
}

/** @param {import('./read-status.js').Status} status */
function show(status) {
  const wasHidden = content.hidden;
  fault.replaceChildren();
  for (const [id, makeSection] of Object.entries(SECTIONS)) {
    const elements = makeSection(status, search.ask);
    const section = findElement(id, HTMLElement);
    section.hidden = elements.length === 0;
    section.replaceChildren(...elements);
  }
  content.hidden = false;
  readAgain.hidden = false;
  readAt.textContent = `Read ${formatMoment(status.now)}`;
  if (wasHidden) searchAddress();
}

/**
 * Nothing of the data is shown to a key that may not see it.
 * @param {import('../lib/request.js').Answer} answer
 */
function refuse(answer) {
  const code = answer.problem?.code ?? '';
  if (answer.status !== 401 && code !== 'operator-only') return tell(createProblemNotice(answer));
  content.hidden = true;
  readAgain.hidden = true;
  readAt.textContent = '';
  search.clear();
  for (const id of Object.keys(SECTIONS)) findElement(id, HTMLElement).replaceChildren();
  fault.replaceChildren(createKeyForm(code, 'h2', true));
}

/** @param {HTMLElement} notice */
function tell(notice) {
  readAgain.hidden = false;
  fault.replaceChildren(notice);
}

findElement('site-header', HTMLElement).append(createKeyState());
findElement('search', HTMLElement).append(...search.elements);
readAgain.addEventListener('click', () => void load());
addEventListener('popstate', searchAddress);
onKeyChange(() => void load());
void load();
