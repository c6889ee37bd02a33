import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openCatalog } from '@stagecraft/catalogs'
import { observedCatalog, observeIn } from '@stagecraft/core/inference'
import { createEngine, type ProjectGeneration } from '@stagecraft/core'
import type { Backend, Catalog, Config, ModelType } from '@stagecraft/spec'
import { expect } from 'vitest'
import { acceptAll } from '../accepted.ts'
import { type Dbt, type DbtRun, failures, runDbt, writeProject } from './dbt.ts'
import type { Place } from './warehouses.ts'

export interface BuildOptions {
  /** Look at the rows first; `accepted` also takes every suggestion that a setting can state. */
  readonly profile?: boolean | 'accepted'
  readonly config?: Config
  readonly type?: ModelType
  /** Edits the plans; every table has to get a usable answer. */
  readonly backend?: Backend
  /** Source names; default: every table. */
  readonly sources?: readonly string[]
  /** How often dbt builds; a second time finds everything there. @default 1 */
  readonly times?: number
}

/** What dbt made of a generated project. */
export interface Built {
  readonly run: DbtRun
  /** Models and snapshots that were generated. */
  readonly models: number
}

/** Generates for a place, and lets a dbt build and test it there. */
export async function generateAndBuild(
  dbt: Dbt,
  place: Place,
  folder: string,
  options: BuildOptions = {},
): Promise<Built> {
  const project = join(folder, 'project')
  await place.reset()
  await writeProject(project, place.target)
  const { files, models } = await generateAll(place.catalog, options)
  for (const { content, path } of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), content)
  }
  for (let time = 1; time < (options.times ?? 1); time++) await runDbt(dbt, project, ['build'])
  return { run: await runDbt(dbt, project, ['build']), models: models.length }
}

/** Every model is there, and every test passes, without a warning. */
export function expectSuccess({ models, run }: Built): void {
  const output = run.output.slice(-3000)
  expect(failures(run), output).toEqual([])
  expect(run.code, output).toBe(0)
  const built = run.results.filter(({ unique_id }) => /^(?:model|snapshot)\./.test(unique_id))
  expect(built.length).toBe(models)
}

async function generateAll(
  text: string,
  { backend, config = {}, profile = false, sources = [], type = 'staging' }: BuildOptions,
): Promise<ProjectGeneration> {
  const opened = await openCatalog(text)
  const settings = profile === 'accepted' ? await accepted(opened, config) : config
  const catalog = profile ? observedCatalog(opened, { asked: 'profile' }) : opened
  try {
    const engine = createEngine({
      catalog,
      config: settings,
      defaults: { addTests: true, addDocs: true },
      ...(backend && { llm: { backend, onFailure: 'error', allowExpressions: true } }),
    })
    return await engine.generateProject({ type, sources })
  } finally {
    await catalog.close()
  }
}

async function accepted(catalog: Catalog, config: Config): Promise<Config> {
  const { inference } = await observeIn(catalog, await catalog.tables({}), { asked: 'accepted' })
  return acceptAll(inference, config)
}
