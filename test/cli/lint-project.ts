import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './run-cli.ts'

/** A project in a folder of its repository, with an error, a warning and a suppression in vain. */
export const LINT_FILES = {
  'warehouse/dbt_project.yml': 'name: shop\n',
  'warehouse/models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'warehouse/models/marts/fct_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'warehouse/models/fct_bad.sql': "select * from {{ ref('fct_order') }} -- stagecraft: ignore SC401 gone\n",
}

/** Writes files into a folder that is gone after the test. */
export function lintProject(files: Readonly<Record<string, string>> = LINT_FILES): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
