import { StagecraftError } from '@stagecraft/spec'
import { basename } from 'node:path/posix'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { page } from '../store/page.ts'
import { getArchive } from './get-archive.ts'
import { cancelGeneration } from './cancel-generation.ts'
import { createGeneration } from './create-generation.ts'
import { findGeneration } from './find-generation.ts'
import { tellGenerations } from './tell-generations.ts'
import { TOLD_COLUMNS } from './to-generation.ts'

type GenerationHandlers = Pick<
  ApiHandlers,
  | 'createGeneration'
  | 'listGenerations'
  | 'getGeneration'
  | 'cancelGeneration'
  | 'getGeneratedFile'
  | 'getArchive'
>

/** The operations on generations and their files. */
export function generationHandlers(context: ServiceContext): GenerationHandlers {
  return {
    createGeneration: createGeneration(context),
    cancelGeneration: cancelGeneration(context),
    getArchive: getArchive(context),
    ...reading(context),
  }
}

function reading({
  store: { db },
}: ServiceContext): Pick<GenerationHandlers, 'listGenerations' | 'getGeneration' | 'getGeneratedFile'> {
  return {
    async listGenerations({ caller, query: { batchId, cursor, kind, limit, state, unitId } }) {
      let found = db.selectFrom('generations').select(TOLD_COLUMNS).where('project_id', '=', caller.projectId)
      if (batchId !== undefined) found = found.where('batch_id', '=', batchId)
      if (kind !== undefined) found = found.where('kind', '=', kind)
      if (state !== undefined) found = found.where('state', '=', state)
      if (unitId !== undefined) found = found.where('unit_id', '=', unitId)
      const { nextCursor, rows } = await page(found, { cursor, limit })
      return { data: { items: [...(await tellGenerations(db, rows))] }, nextCursor }
    },
    async getGeneration({ caller: { projectId }, params: { generationId } }) {
      const [data] = await tellGenerations(db, [await findGeneration(db, { projectId, generationId })])
      if (!data) throw new TypeError('the generation has no data')
      return { data }
    },
    async getGeneratedFile({ caller: { projectId }, params: { generationId, path } }) {
      await findGeneration(db, { projectId, generationId })
      const file = await db
        .selectFrom('generation_files')
        .select('content')
        .where('generation_id', '=', generationId)
        .where('path', '=', path)
        .executeTakeFirst()
      if (!file) throw StagecraftError.unknownId('generated file', path, 'path')
      return { bytes: new TextEncoder().encode(file.content), fileName: basename(path) }
    },
  }
}
