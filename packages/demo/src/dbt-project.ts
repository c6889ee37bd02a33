import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PROJECT = `name: northlight
version: 1.0.0
config-version: 2
profile: northlight

models:
  northlight:
    staging:
      +materialized: view
`

const PROFILES = `northlight:
  target: dev
  outputs:
    dev:
      type: duckdb
      path: ../warehouse.duckdb
      schema: analytics
      threads: 2
`

/** Writes a dbt project without models that builds in the warehouse beside it. */
export async function writeDbtProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'dbt_project.yml'), PROJECT)
  await writeFile(join(folder, 'profiles.yml'), PROFILES)
}
