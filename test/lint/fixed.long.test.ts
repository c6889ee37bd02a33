// What `lint --fix --unsafe` makes of each golden project is still a project to dbt, and the findings are gone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { applyFixes, RULES } from '@stagecraft/analysis'
import { describe, expect, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { runDbt } from '../dbt/dbt.ts'
import { testWithDbt } from '../dbt/with-dbt.ts'
import { repositoryPath } from '../paths.ts'
import { type Files, lintFiles, readFiles, readFilesAsProject, withChanges } from './lint-project.ts'

/** Projects that a dbt refuses before the fix too, because the fix mends a part of what is wrong with them. */
const REFUSED_BEFORE: Readonly<Record<string, string>> = {
  'SC303 dbt-1': 'a model is described twice, and only a person knows which entry is right',
  'SC303 dbt-2': 'a model is described twice, and only a person knows which entry is right',
  'SC111 dbt-2': 'it wants loaded_at_field below config',
  'SC306 dbt-1': 'arguments of one test do not stand together, and stay as they were',
  'SC306 dbt-2': 'two tests of one column have the same name',
}

function writeFiles(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-fixed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const profile = { target: 'dev', outputs: { dev: { type: 'duckdb', path: join(folder, 'x.duckdb') } } }
  const all = {
    'dbt_project.yml': 'name: shop\n',
    ...files,
    'profiles.yml': stringify({ shop: profile }),
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path === 'dbt_project.yml' ? `${text}\nprofile: shop\n` : text)
  }
  return folder
}

async function fixed(files: Files, rule: (typeof RULES)[number]): Promise<Files> {
  const { findings } = await lintFiles(files, rule)
  const own = findings.filter((finding) => finding.rule === rule.id)
  const changes = applyFixes(await readFilesAsProject(files), own, { unsafe: true })
  return changes.files.length === 0 ? files : fixed(withChanges(files, changes.files), rule)
}

describe.each(RULES.filter(({ fix }) => fix).map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  for (const name of ['dbt-1', 'dbt-2'] as const)
    testWithDbt(
      'leaves a project that parses with',
      name,
      async (dbt) => {
        const before = readFiles(repositoryPath(`test/lint/rules/${id}/hit`))
        const after = await fixed(before, rule)
        expect(after).not.toEqual(before)
        const left = (await lintFiles(after, rule)).findings.filter((finding) => finding.rule === id)
        expect(left.filter(({ fix }) => fix)).toEqual([])
        const { code, output } = await runDbt(dbt, writeFiles(after), ['parse'])
        if (`${id} ${name}` in REFUSED_BEFORE) expect(code, output).not.toBe(0)
        else expect(code, output).toBe(0)
      },
      300_000,
    )
})
