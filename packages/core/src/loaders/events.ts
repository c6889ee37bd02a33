import type { LoaderPack } from './loader.ts'

const TRACKING_COLUMNS = {
  received_at: 'When the collector received the event, in UTC.',
  sent_at: 'When the client sent the event, by its own clock.',
  original_timestamp: 'When the event happened, by the clock of the client.',
  uuid_ts: 'When the event was written to the warehouse.',
  loaded_at: 'When the event was written to the warehouse.',
} as const

export const segment: LoaderPack = {
  name: 'segment',
  title: 'Segment',
  pages: ['https://segment.com/docs/connections/storage/warehouses/schema/'],
  signs: { all: ['received_at', 'original_timestamp', 'uuid_ts'] },
  columns: { ...TRACKING_COLUMNS, uuid: 'Identifier that Segment gave to the row while loading it.' },
  loaded: [{ column: 'loaded_at' }, { column: 'received_at' }],
  deleted: [],
  loadMode: 'append',
  versions: [
    { column: 'received_at', order: 'desc' },
    { column: 'uuid_ts', order: 'desc' },
  ],
  key: 'id',
}

export const rudderstack: LoaderPack = {
  name: 'rudderstack',
  title: 'RudderStack',
  pages: ['https://www.rudderstack.com/docs/destinations/warehouse-destinations/warehouse-schema/'],
  signs: {
    all: ['received_at', 'original_timestamp', 'anonymous_id'],
    any: [/^context_rudder/, 'rudder_id', /^context_/],
  },
  columns: TRACKING_COLUMNS,
  loaded: [{ column: 'loaded_at' }, { column: 'received_at' }],
  deleted: [],
  loadMode: 'append',
  versions: [
    { column: 'received_at', order: 'desc' },
    { column: 'uuid_ts', order: 'desc' },
  ],
  key: 'id',
}

/** At-least-once delivery: of two events with one id, the earliest collected is the real one. */
export const snowplow: LoaderPack = {
  name: 'snowplow',
  title: 'Snowplow',
  pages: [
    'https://docs.snowplow.io/docs/fundamentals/canonical-event/',
    'https://docs.snowplow.io/docs/modeling-your-data/modeling-your-data-with-dbt/package-mechanics/de-duplication/',
  ],
  signs: { all: ['event_id', 'collector_tstamp'] },
  columns: {
    collector_tstamp: 'When the collector received the event, in UTC.',
    etl_tstamp: 'When the event was enriched, in UTC.',
    load_tstamp: 'When the event was loaded, in UTC.',
    event_fingerprint: 'Hash of the data that the client sent; equal for true duplicates.',
    v_collector: 'Version of the collector.',
    v_etl: 'Version of the enrichment.',
    v_tracker: 'Version of the tracker.',
    name_tracker: 'Name of the tracker.',
  },
  loaded: [{ column: 'load_tstamp' }, { column: 'collector_tstamp' }],
  deleted: [],
  loadMode: 'append',
  versions: [
    { column: 'collector_tstamp', order: 'asc' },
    { column: 'dvce_created_tstamp', order: 'asc' },
  ],
  key: 'event_id',
}
