import { airbyte, airbyteV1 } from './airbyte.ts'
import { datastream, debezium, dms, matillion, peerdb, qlik } from './change-data-capture.ts'
import { dlt, dltHistory } from './dlt.ts'
import { estuary } from './estuary.ts'
import { rudderstack, segment, snowplow } from './events.ts'
import { databricksLoader, generic, portable, rivery, sling } from './file-loaders.ts'
import { fivetran, fivetranHistory } from './fivetran.ts'
import { hevo } from './hevo.ts'
import type { LoaderPack } from './loader.ts'
import { meltano, stitch } from './singer.ts'

/** Every loader pack, in the order in which a table is matched: special ones before general ones. */
export const LOADERS: readonly LoaderPack[] = [
  fivetranHistory,
  fivetran,
  airbyte,
  airbyteV1,
  meltano,
  stitch,
  dltHistory,
  dlt,
  hevo,
  estuary,
  debezium,
  peerdb,
  datastream,
  dms,
  qlik,
  matillion,
  sling,
  portable,
  rivery,
  databricksLoader,
  segment,
  rudderstack,
  snowplow,
  generic,
]
