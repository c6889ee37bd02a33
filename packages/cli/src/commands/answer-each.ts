import type { Engine, EngineAnswer, ProjectRequest, RunOptions } from '@stagecraft/core'
import { StagecraftError } from '@stagecraft/spec'

/**
 * Answers for each table that is asked for, in that order. Of several names, one that fails has its error in
 * its place and takes nothing from the others.
 *
 * @throws {StagecraftError} When there is one name, or none that can be answered.
 */
export async function answerEach(
  engine: Engine,
  request: ProjectRequest,
  options: RunOptions,
): Promise<readonly (EngineAnswer | StagecraftError)[]> {
  try {
    return await engine.generateEach(request, options)
  } catch (error) {
    if (!(error instanceof StagecraftError) || request.sources.length < 2) throw error
    return answerAround(engine, request, options)
  }
}

/** Tries each name alone, then answers together for those that can be answered. */
async function answerAround(
  engine: Engine,
  request: ProjectRequest,
  options: RunOptions,
): Promise<readonly (EngineAnswer | StagecraftError)[]> {
  const seen = new Set<string>()
  const tried: (StagecraftError | { readonly source: string; readonly tables: number })[] = []
  for (const source of request.sources) {
    try {
      const alone = await engine.generateEach({ ...request, sources: [source] }, options)
      const fresh = alone.map(identify).filter((table) => !seen.has(table))
      for (const table of fresh) seen.add(table)
      tried.push({ source, tables: fresh.length })
    } catch (error) {
      if (!(error instanceof StagecraftError) || error.code === 'CONNECTION_FAILED') throw error
      tried.push(error)
    }
  }
  const sources = tried.flatMap((result) => (result instanceof StagecraftError ? [] : [result.source]))
  if (sources.length === 0) return tried.filter((result) => result instanceof StagecraftError)
  const answers = [...(await engine.generateEach({ ...request, sources }, options))]
  return tried.flatMap((result): readonly (EngineAnswer | StagecraftError)[] =>
    result instanceof StagecraftError ? [result] : answers.splice(0, result.tables),
  )
}

/** The sources YAML of one table is unlike that of any other. */
function identify({ data }: EngineAnswer): string {
  return data.files.find(({ path }) => path.endsWith('sources.yml'))?.content ?? data.code
}
