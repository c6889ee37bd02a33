// How long it takes to read a dbt project of 3,000 files: cold, from what was kept, and after one file changed.
// Run: npm run -s bench:project
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskStore, diskTree, type ProjectIndex, readProject } from '@stagecraft/dbt'

/** Models by folder; each folder has a file of properties, and every tenth one of sources. */
const FOLDERS = 450
const MODELS = 5
const COLUMNS = 14

/** Long ago, so that the times of a file tell whether it changed. */
const LONG_AGO = new Date('2026-01-01')

function modelOf(folder: number, model: number): string {
  const columns = Array.from(
    { length: COLUMNS },
    (_, at) => `        column_${at} as renamed_${at}, -- as it came`,
  ).join('\n')
  const reads =
    model === 0 ? `source('raw_${folder % 50}', 'table_${folder}')` : `ref('stg_${folder}_${model - 1}')`
  return `{{ config(materialized='view', tags=['f${folder}']) }}

with source as (
    select * from {{ ${reads} }}
),

renamed as (
    select
${columns}
        {{ dbt.current_timestamp() }} as loaded_at
    from source
    {% if is_incremental() %} where column_1 > (select max(renamed_1) from {{ this }}) {% endif %}
)

select * from renamed
`
}

function propertiesOf(folder: number): string {
  const column = (at: number): string => `      - name: renamed_${at}
        description: What column ${at} says about the ${folder} things that people buy
        data_tests:
          - not_null
`
  const model = (at: number): string => `  - name: stg_${folder}_${at}
    description: >
      The rows of table ${folder}, renamed and cast,
      one for each thing.
    columns:
${Array.from({ length: COLUMNS }, (_, index) => column(index)).join('')}`
  return `version: 2\n\nmodels:\n${Array.from({ length: MODELS }, (_, at) => model(at)).join('\n')}`
}

function sourcesOf(folder: number): string {
  const tables = Array.from(
    { length: 10 },
    (_, at) => `      - name: table_${folder + at}\n        description: Raw.\n`,
  )
  return `sources:\n  - name: raw_${folder % 50}\n    schema: "{{ env_var('RAW', 'raw') }}_${folder}"\n    tables:\n${tables.join('')}`
}

function writeProject(root: string): number {
  const files: [string, string][] = [['dbt_project.yml', 'name: big\nprofile: big\n']]
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const base = `models/area_${folder % 20}/folder_${folder}`
    for (let model = 0; model < MODELS; model += 1)
      files.push([`${base}/stg_${folder}_${model}.sql`, modelOf(folder, model)])
    files.push([`${base}/_models.yml`, propertiesOf(folder)])
    if (folder % 10 === 0) files.push([`${base}/_sources.yml`, sourcesOf(folder)])
  }
  while (files.length < 3001)
    files.push([`macros/macro_${files.length}.sql`, `{% macro m_${files.length}(a) %}{{ a }}{% endmacro %}`])
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    utimesSync(join(root, path), LONG_AGO, LONG_AGO)
  }
  return files.length - 1
}

async function measure(name: string, work: () => Promise<ProjectIndex>): Promise<void> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const { models, sources } = await work()
  const { system, user } = process.cpuUsage(before)
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  const cpu = ((user + system) / 1e6).toFixed(2)
  process.stdout.write(
    `${name.padEnd(24)} ${seconds} s, ${cpu} s of processor, ${models.length} models, ${sources.length} sources\n`,
  )
}

const root = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
try {
  process.stdout.write(`${writeProject(root)} files\n`)
  const later = (): number => Date.now() + 60_000 // no file is young
  const read = (): Promise<ProjectIndex> =>
    readProject(diskTree(root, { now: later }), { store: diskStore(root) })
  await measure('cold', read)
  await measure('kept', read)
  writeFileSync(join(root, 'models/area_1/folder_1/stg_1_1.sql'), 'select 1')
  await measure('one file changed', read)
} finally {
  rmSync(root, { recursive: true })
}
