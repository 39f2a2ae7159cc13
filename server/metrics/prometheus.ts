export interface Sample {
  /** On the lines of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of every metric; a metric without samples is not written. */
export type Samples = Readonly<Record<MetricName, readonly Sample[]>>;

/** The text format of Prometheus, version 0.0.4. */
export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function writeMetrics(samples: Samples): string {
  let text = '';
  for (const name of Object.keys(METRICS) as MetricName[]) {
    if (samples[name].length === 0) continue;
    const { help, type } = METRICS[name];
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples[name]) {
      text += `${name}${suffix}${writeLabels(labels)} ${value}\n`;
    }
  }
  return text;
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeValue(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}

type MetricType = 'counter' | 'gauge' | 'histogram';

interface Metric {
  readonly type: MetricType;
  readonly labels: readonly string[];
  readonly help: string;
}

const counter = (help: string, ...labels: readonly string[]): Metric => ({ type: 'counter', labels, help });
const gauge = (help: string, ...labels: readonly string[]): Metric => ({ type: 'gauge', labels, help });
const histogram = (help: string, ...labels: readonly string[]): Metric => ({ type: 'histogram', labels, help });

/** Every metric of `/metrics`, by the naming conventions of Prometheus. None holds a key or its name. */
export const METRICS = {
  deals_http_requests_total: counter(
    'Requests that were answered; status none where the client was gone before',
    'route',
    'status',
  ),
  deals_http_request_duration_seconds: histogram(
    'Time from the head of a request to the end of its answer, which a slow reader lengthens',
    'route',
  ),
  deals_http_received_bytes_total: counter('Bytes read from connections'),
  deals_http_sent_bytes_total: counter('Bytes written to connections'),
  deals_http_connections_total: counter('Connections that were accepted'),
  deals_http_open_connections: gauge('Connections that are open now'),
  deals_answer_cache_requests_total: counter('Authenticated requests by response-cache result: hit or miss', 'result'),
  deals_rate_limited_requests_total: counter('Requests refused since their key had used its share'),
  deals_shed_requests_total: counter('Requests refused since there was too much to do'),
  deals_log_events_total: counter(
    'Lines of the log by their event, without those of requests; snapshot-refused and request-failed are faults',
    'event',
  ),
  deals_snapshot_info: gauge('1, with the id of the snapshot being served', 'snapshot'),
  deals_snapshot_sequence: gauge('Sequence number of the snapshot being served'),
  deals_snapshot_created_timestamp_seconds: gauge('When the snapshot being served was made'),
  deals_snapshot_age_seconds: gauge('Age of the snapshot being served'),
  deals_snapshot_products: gauge('Products of the snapshot being served'),
  deals_snapshot_deals: gauge('Deals of the snapshot being served'),
  deals_snapshot_quarantined_records: gauge('Records that were left out of the snapshot being served'),
  deals_snapshot_sources: gauge(
    'Sources of the snapshot being served by their state: fresh, carried-forward, failed or absent',
    'state',
  ),
  deals_source_held: gauge(
    '1 for a source that is held, withdrawn or missing in the snapshot being served, 0 for a fresh one',
    'source',
  ),
  deals_source_age_seconds: gauge(
    'Time since a build last read the source as it is served; absent when none has',
    'source',
  ),
  deals_snapshots_held: gauge('Snapshots in memory: the current one, and the one that page walks go on over'),
  deals_snapshot_refusals_total: counter('Times that a snapshot was found damaged or unreadable'),
  deals_last_build_outcome: gauge('1 for the outcome of the last build, 0 for the others', 'outcome'),
  deals_last_build_started_timestamp_seconds: gauge('When the last build began'),
  deals_last_build_duration_seconds: gauge('How long the last build took'),
  deals_last_build_confirmed_timestamp_seconds: gauge(
    'When a build last found that the sources say what is current: a night that changes nothing makes no snapshot',
  ),
  deals_build_lock_age_seconds: gauge(
    'How long build.lock has named a holder: a build holds the store, or was killed; 0 when it names none',
  ),
  deals_pull_last_contact_timestamp_seconds: gauge(
    'When the object store last answered deals pull; all metrics of deals pull are absent where snapshots are built',
  ),
  deals_pull_announced_revision: gauge('The newest revision that deals pull has accepted'),
  deals_pull_current_revision: gauge('The revision that the store switched to last'),
  deals_pull_overdue_seconds: gauge(
    'How long the announced revision should have been current; 0 when it is, or it is not time',
  ),
  deals_pull_lead_seconds: gauge('Time between the push of the announced revision and its switch'),
  deals_pull_failures_total: counter('Looks at the object store that failed, by the step of the pull', 'step'),
  deals_pull_refusals_total: counter('Records of the object store that were not accepted: unsigned, copied or older'),
  deals_pull_fetched_bytes_total: counter('Bytes of files and pictures that deals pull has fetched'),
  deals_keys_unreadable_seconds: gauge(
    'How long the key file cannot be read, so that revoked keys still work; 0 when it can',
  ),
  deals_event_loop_delay_seconds: gauge(
    'How late the event loop was since the last scrape: mean, p99 and max',
    'statistic',
  ),
  deals_event_loop_active_seconds_total: counter('Time that the event loop was busy'),
  process_cpu_seconds_total: counter('CPU time of the process, user and system'),
  process_resident_memory_bytes: gauge('Resident memory of the process'),
  process_heap_bytes: gauge('Memory in use in the heap of V8'),
  process_external_memory_bytes: gauge('Memory that V8 holds outside its heap'),
  process_open_fds: gauge('Open file descriptors'),
  process_start_time_seconds: gauge('When the process started'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
