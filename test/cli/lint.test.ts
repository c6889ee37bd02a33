import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from './run-cli.ts'

const FILES = {
  'warehouse/dbt_project.yml': 'name: shop\n',
  'warehouse/models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'warehouse/models/marts/fct_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'warehouse/models/fct_bad.sql': "select * from {{ ref('fct_order') }} -- stagecraft: ignore SC401 gone\n",
}

function project(files: Readonly<Record<string, string>> = FILES): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('lint', () => {
  test('shows findings with their places, and exits with 1 for errors', async () => {
    const { code, stderr, stdout } = await runCli(['lint', 'warehouse'], { folder: project() })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('warehouse/models/fct_bad.sql:1:18 error[SC308] there is no model fct_order')
    expect(stdout).toContain("1 | select * from {{ ref('fct_order') }}")
    expect(stdout).toContain('did you mean fct_orders?')
    expect(stdout).toMatch(/^1 error, 2 warnings in 4 files$/m)
  })

  test('mends files, reports what is left and counts warnings', async () => {
    const folder = project()
    const file = join(folder, 'warehouse/models/fct_bad.sql')
    const { code, stderr, stdout } = await runCli(
      ['lint', '--fix', '--ignore', 'SC308', '--max-warnings', '0'],
      { folder: join(folder, 'warehouse') },
    )
    expect(stderr).toBe('fixed 1 finding in 1 file\n')
    expect(readFileSync(file, 'utf8')).toBe("select * from {{ ref('fct_order') }}\n")
    expect(stdout).toMatch(/^1 warning in 4 files$/m)
    expect(code).toBe(1)
  })

  test('reports on the files that are named, from the root of the repository', async () => {
    const folder = project()
    execFileSync('git', ['init', '--quiet', folder])
    const parameters = ['lint', 'models/marts', '--format', 'json', '--output', 'found.json']
    const { code, stderr } = await runCli(parameters, { folder: join(folder, 'warehouse') })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 warning in 4 files; written to found.json\n' })
    const { findings } = JSON.parse(readFileSync(join(folder, 'warehouse/found.json'), 'utf8')) as {
      findings: readonly { readonly path: string; readonly rule: string }[]
    }
    expect(findings.map(({ path, rule }) => [path, rule])).toEqual([
      ['warehouse/models/marts/fct_orders.sql', 'SC403'],
    ])
  })

  test('takes severities and suppressions from the configuration of the project', async () => {
    const config =
      'lint:\n  rules: { SC308: off, mart-reads-source: error, SC902: off }\n  ignore: [{ rule: SC403, model: fct_orders, reason: small }]\n'
    const folder = project({ ...FILES, 'warehouse/stagecraft.yml': config })
    const { code, stdout } = await runCli(['lint', 'warehouse'], { folder })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'no findings in 5 files; 1 suppressed\n' })
  })

  test.each([
    [['nowhere'], /path: expected a file or folder, got nowhere, which does not exist/],
    [['warehouse', '--select', 'SC999'], /expected an id, a name or a group of rules, got "SC999"/],
    [['warehouse', '--max-warnings', 'x'], /--max-warnings: expected a whole number from 0, got x/],
  ])('%j is refused', async (parameters, message) => {
    const { code, stderr } = await runCli(['lint', ...parameters], { folder: project() })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('rules', () => {
  test('lists all rules, and explains one by id or name', async () => {
    const all = await runCli(['rules'])
    expect(all.stdout).toMatch(/^SC403 mart-reads-source +warning +an intermediate model/m)
    const one = await runCli(['rules', 'sc403'])
    expect(one.stdout).toMatch(
      /^SC403 mart-reads-source: [^]*\nWhy: [^]*\nExample:\n {2}-- fct_orders\.sql[^]*\nRemedy: /,
    )
  })
})
