import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../docs/pages.ts'
import { repositoryPath } from '../paths.ts'
import { lintProject } from './lint-project.ts'
import { runWarm } from './run-cli.ts'

/** Rules that need nothing but files, so that all is checked. */
const FEW = ['--select', 'SC308', 'SC401', 'SC403', 'SC901', 'SC902'] as const

test('--fix --dry-run shows the changes and writes nothing', async () => {
  const folder = lintProject()
  const file = join(folder, 'warehouse/models/fct_bad.sql')
  const before = readFileSync(file, 'utf8')
  const { code, stderr, stdout } = await runWarm(
    ['lint', '--fix', '--dry-run', '--project-dir', 'warehouse'],
    {
      folder,
    },
  )
  expect(stderr).toBe('would fix 1 finding in 1 file\n')
  expect(stdout).toContain(
    "-select * from {{ ref('fct_order') }} -- stagecraft: ignore SC401 gone\n+select * from {{ ref('fct_order') }}\n",
  )
  expect(stdout).toMatch(/^1 error, 1 warning in 4 files/m)
  expect(code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a baseline takes the findings of now, and says which of them are gone', async () => {
  const folder = join(lintProject(), 'warehouse')
  const first = await runWarm(['lint', ...FEW, '--update-baseline'], { folder })
  expect(first).toEqual({
    code: 0,
    stderr: '.stagecraft-baseline.json: 3 known findings, 3 added, 0 dropped\n',
    stdout: 'no findings in 4 files; 3 in the baseline\n',
  })
  expect(await runWarm(['lint', ...FEW], { folder })).toMatchObject({ code: 0 })
  expect(await runWarm(['lint', ...FEW, '--no-baseline'], { folder })).toMatchObject({ code: 1 })
  writeFileSync(join(folder, 'models/fct_bad.sql'), 'select 1 as id\n')
  const stale = await runWarm(['lint', ...FEW, '--max-warnings', '0'], { folder })
  expect(stale.code).toBe(1)
  expect(stale.stdout).toContain(
    'warning[SC902] the baseline has SC308 of model fct_bad (model fct_order), which',
  )
  const second = await runWarm(['lint', ...FEW, '--update-baseline'], { folder })
  expect(second.stderr).toBe('.stagecraft-baseline.json: 1 known finding, 0 added, 2 dropped\n')
})

test('--changed reports files that changed, and what the changes broke elsewhere', async () => {
  const root = lintProject()
  const folder = join(root, 'warehouse')
  const git = (...parameters: readonly string[]): unknown =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...parameters])
  writeFileSync(join(folder, 'models/fct_first.sql'), "select * from {{ ref('fct_orders') }}\n")
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  const clean = await runWarm(['lint', ...FEW, '--changed'], { folder })
  expect(clean).toMatchObject({ code: 0, stdout: 'no findings in 5 files\n' })
  rmSync(join(folder, 'models/marts/fct_orders.sql'))
  writeFileSync(join(folder, 'models/fct_new.sql'), "select * from {{ ref('nothing_here') }}\n")
  git('checkout', '--quiet', '-b', 'work')
  git('add', 'warehouse/models/marts')
  git('commit', '--quiet', '--message=second')
  const { stdout } = await runWarm(['lint', ...FEW, '--changed=main', '--format', 'json'], { folder })
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly path: string; readonly message: string; readonly rule: string }[]
  }
  expect(findings.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    'warehouse/models/fct_first.sql SC308',
    'warehouse/models/fct_new.sql SC308',
    'warehouse/models/sources.yml SC401',
  ])
  const unknown = await runWarm(['lint', ...FEW, '--changed=nowhere'], { folder })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toMatch(/--changed: expected a branch, tag or commit that git has here, got nowhere/)
})

test.each([
  [['nowhere'], /path: expected a file or folder, got nowhere, which does not exist/],
  [['warehouse', '--select', 'SC999'], /expected an id, a name or a group of rules, got "SC999"/],
  [['warehouse', '--dry-run'], /--dry-run: expected --fix with it, got no --fix/],
  [['warehouse', '--baseline', 'no.json'], /--baseline: expected a file, got no\.json, which does not exist/],
  [['warehouse', '--update-baseline'], /--update-baseline: expected a run over the whole project/],
  [['warehouse', '--select', 'unused-sorce'], /did you mean unused-source\?/],
  [['warehouse', '--max-warnings', 'x'], /--max-warnings: expected a whole number from 0, got x/],
])('%j is refused', async (parameters, message) => {
  const { code, stderr } = await runWarm(['lint', ...parameters], { folder: lintProject() })
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})

test('lists the rules that a part of a name or an id names, and offers the nearest one', async () => {
  const ids = async (name: string): Promise<readonly string[]> =>
    [...(await runWarm(['rules', name])).stdout.matchAll(/^SC\d+(?= \w)/gm)].map(([id]) => id)
  expect((await ids('SC90')).slice(0, 3)).toEqual(['SC901', 'SC902', 'SC903'])
  expect((await ids('SC90')).filter((id) => !id.startsWith('SC90'))).toEqual([])
  expect(await ids('reads-source')).toEqual(['SC403'])
  const { code, stderr } = await runWarm(['rules', 'mart-read-sources'])
  expect(code).toBe(2)
  expect(stderr).toContain('did you mean mart-reads-source? stagecraft rules lists all rules')
})

test('the page with a history is drawn by the commands of its documentation, in their order', () => {
  const folder = lintProject({
    'dbt_project.yml': "name: acme\nversion: '1.0'\nprofile: acme\n",
    'models/one.sql': 'select 1 as id\n',
  })
  const shown = blocksOf('docs/how-to/lint-a-project.md').find(({ text }) => text.startsWith('mkdir -p'))
  const program = `stagecraft() { "${process.execPath}" "${repositoryPath('packages/cli/src/bin.ts')}" "$@"; }`
  const script = ['set -e', program, shown?.text].join('\n')
  const run = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
  expect({ code: run.status, stderr: run.stderr }).toMatchObject({ code: 0 })
  expect(readdirSync(join(folder, 'reports'))).toHaveLength(1)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('</html>')
})
