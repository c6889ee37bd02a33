import type { GenerationRequest } from '@stagecraft/spec'
import { type GenerateContext, settingsOf } from '../run/run-item.ts'
import { modelNameOf } from '../plan/subject.ts'
import { parseSourceName, storedName } from '../source-name.ts'

/**
 * The name that a model gets, as far as the source name tells it: a catalog may spell the table otherwise, and a run
 * may number names that come out alike.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a source that is not a dotted name.
 */
export function nameModel({ source, type }: GenerationRequest, context: GenerateContext): string {
  const run = settingsOf(context)
  const name = storedName(parseSourceName(source, run.dialect), { columns: [] }, run.dialect)
  return modelNameOf({ ...name, schema: name.schema ?? run.config.defaultSchema }, type, run)
}
