import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LINT_FILES, lintProject } from './lint-project.ts'
import { runWarm } from './run-cli.ts'

describe('lint', () => {
  test('shows findings with their places, and exits with 1 for errors', async () => {
    const { code, stderr, stdout } = await runWarm(['lint', 'warehouse'], { folder: lintProject() })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('warehouse/models/fct_bad.sql:1:18 error[SC308] there is no model fct_order')
    expect(stdout).toContain("1 | select * from {{ ref('fct_order') }}")
    expect(stdout).toContain('did you mean fct_orders?')
    expect(stdout).toMatch(/^1 error, 2 warnings in 4 files; \d+ not checked$/m)
  })

  test('reads SQL in the dialect of the dbt profile, if nothing else names one', async () => {
    const profiles = 'shop: { target: dev, outputs: { dev: { type: snowflake, account: a, user: u } } }\n'
    const project = { ...LINT_FILES, 'warehouse/dbt_project.yml': 'name: shop\nprofile: shop\n' }
    const overview = async (files: Readonly<Record<string, string>>): Promise<string> =>
      (await runWarm(['ask', 'overview', '--project-dir', 'warehouse'], { folder: lintProject(files) }))
        .stdout
    expect(await overview({ ...project, 'warehouse/profiles.yml': profiles })).toContain(
      'dialect: snowflake\n',
    )
    expect(await overview(project)).toContain(
      'note: nothing names the dialect of the project, so its SQL is read as duckdb',
    )
  })

  test('mends files, reports what is left and counts warnings', async () => {
    const folder = lintProject()
    const file = join(folder, 'warehouse/models/fct_bad.sql')
    const { code, stderr, stdout } = await runWarm(
      ['lint', '--fix', '--ignore', 'SC308', '--max-warnings', '0'],
      { folder: join(folder, 'warehouse') },
    )
    expect(stderr).toBe('fixed 1 finding in 1 file\n')
    expect(readFileSync(file, 'utf8')).toBe("select * from {{ ref('fct_order') }}\n")
    expect(stdout).toMatch(/^1 warning in 4 files; \d+ not checked$/m)
    expect(code).toBe(1)
  })

  test('keeps modes and links of the files that it mends', async () => {
    const folder = join(lintProject(), 'warehouse')
    const [file, link] = [join(folder, 'models/fct_bad.sql'), join(folder, 'models/loop.sql')]
    renameSync(file, join(folder, 'real.txt'))
    symlinkSync('../real.txt', file)
    symlinkSync('loop.sql', link)
    chmodSync(join(folder, 'real.txt'), 0o640)
    const { stderr } = await runWarm(['lint', '--fix'], { folder })
    expect(stderr).toBe('fixed 1 finding in 1 file\n')
    expect(readlinkSync(file)).toBe('../real.txt')
    expect(readFileSync(file, 'utf8')).toBe("select * from {{ ref('fct_order') }}\n")
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test.each(['read-only', 'outside'])('mends no file when one is %s', async (kind) => {
    const root = lintProject()
    const folder = join(root, 'warehouse')
    const file = join(folder, 'models/fct_bad.sql')
    if (kind === 'read-only') chmodSync(file, 0o444)
    else {
      renameSync(file, join(root, 'real.sql'))
      symlinkSync('../../real.sql', file)
    }
    const { code, stderr } = await runWarm(['lint', '--fix'], { folder })
    expect(code).toBe(2)
    expect(stderr).toContain('nothing was written: these files')
    expect(stderr).toContain('models/fct_bad.sql')
    expect(readFileSync(file, 'utf8')).toContain('ignore SC401')
  })

  test('refuses an output that is no file, and leaves nothing behind', async () => {
    const folder = join(lintProject(), 'warehouse')
    const { code, stderr } = await runWarm(['lint', '--output', 'models'], { folder })
    expect(code).toBe(2)
    expect(stderr).toContain('--output: expected a file to write')
    expect(readdirSync(folder).toSorted()).toEqual(['dbt_project.yml', 'models'])
  })

  test('reports on the files that are named, from the root of the repository', async () => {
    const folder = lintProject()
    execFileSync('git', ['init', '--quiet', folder])
    const parameters = ['lint', 'models/marts', '--format', 'json', '--output', 'found.json']
    const { code, stderr } = await runWarm(parameters, { folder: join(folder, 'warehouse') })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^1 warning in 1 file; \d+ not checked; written to found.json\n$/)
    const { findings } = JSON.parse(readFileSync(join(folder, 'warehouse/found.json'), 'utf8')) as {
      findings: readonly { readonly path: string; readonly rule: string }[]
    }
    expect(findings.map(({ path, rule }) => [path, rule])).toEqual([
      ['warehouse/models/marts/fct_orders.sql', 'SC403'],
    ])
  })

  test('says that there is nothing to check below a folder without files', async () => {
    const folder = join(lintProject(), 'warehouse')
    mkdirSync(join(folder, 'models/empty'))
    const { code, stderr, stdout } = await runWarm(['lint', 'models/empty'], { folder })
    expect(code).toBe(0)
    expect(stderr).toBe('warning there is no file to check in models/empty\n')
    expect(stdout).toContain('no findings in 0 files')
  })

  test('--changed says that there is no repository, no commit, or no such ref', async () => {
    const folder = join(lintProject(), 'warehouse')
    const said = async (...parameters: readonly string[]): Promise<string> =>
      (await runWarm(['lint', ...parameters], { folder })).stderr
    expect(await said('--changed')).toMatch(
      /expected a project in a git repository, got .*not a git repository/,
    )
    execFileSync('git', ['init', '--quiet', folder])
    expect(await said('--changed')).toContain('expected a git repository with a commit, got one without any')
    const author = ['-c', 'user.name=Reader', '-c', 'user.email=reader@example.com']
    execFileSync('git', ['-C', folder, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'First'])
    expect(await said('--changed=nothing')).toContain(
      'a branch, tag or commit that git has here, got nothing',
    )
  })

  test('takes severities and suppressions from the configuration of the project', async () => {
    const config =
      'lint:\n  rules: { SC308: off, mart-reads-source: error, SC902: off }\n  ignore: [{ rule: SC403, model: fct_orders, reason: small }]\n'
    const folder = lintProject({ ...LINT_FILES, 'warehouse/stagecraft.yml': config })
    const { code, stdout } = await runWarm(['lint', 'warehouse'], { folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^no findings in 5 files; 1 suppressed; \d+ not checked$/m)
  })

  test('--explain says what a rule is about', async () => {
    expect((await runWarm(['lint', '--explain', 'SC403'])).stdout).toBe(
      (await runWarm(['rules', 'SC403'])).stdout,
    )
  })
})

describe('rules', () => {
  test('lists all rules, and explains one by id or name', async () => {
    const all = await runWarm(['rules'])
    expect(all.stdout).toMatch(/^SC403 mart-reads-source +warning +an intermediate model/m)
    const one = await runWarm(['rules', 'sc403'])
    expect(one.stdout).toMatch(
      /^SC403 mart-reads-source: [^]*\nWhy: [^]*\nExample:\n {2}-- fct_orders\.sql[^]*\nRemedy: /,
    )
  })
})

describe('with raw tables', () => {
  const files = {
    'dbt_project.yml': 'name: shop\n',
    'models/staging/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
    'models/staging/stg_shop__orders.sql':
      "select id as order_id, stauts from {{ source('shop', 'orders') }}\n",
    'raw.sql': 'create table shop.orders (id integer, status text);\ncreate table other.x (id integer);\n',
  }

  test('compares models with the tables of a catalog', async () => {
    const parameters = ['lint', '--catalog', 'raw.sql?dialect=postgres', '--fix', '--unsafe']
    const folder = lintProject(files)
    const { code, stdout } = await runWarm([...parameters, '--dry-run'], { folder })
    expect(stdout).toContain('+select id as order_id, status from')
    expect(code).toBe(0)
    const before = await runWarm(parameters.slice(0, 3), { folder })
    expect(before.stdout).toContain('error[SC204] shop.orders has no column stauts')
    expect(before.code).toBe(1)
  })

  test('says what is missing without one', async () => {
    const { stdout } = await runWarm(['lint', '--select', 'SC204'], { folder: lintProject(files) })
    expect(stdout).toMatch(/not checked\[SC204\] shop: it needs the raw tables: .*read with --catalog/)
  })
})

test('--select and --ignore take names with commas between them', async () => {
  const folder = join(lintProject(), 'warehouse')
  const apart = await runWarm(['lint', '--select', 'SC308', 'SC403'], { folder })
  expect(apart.stdout).toContain('error[SC308]')
  expect(await runWarm(['lint', '--select', 'SC308,SC403'], { folder })).toEqual(apart)
  const { stdout } = await runWarm(['lint', '--ignore', 'SC403, SC308'], { folder })
  expect(stdout).not.toContain('SC308]')
})

test.each(['duckdb:md:db?motherduck_token=S3CRETPW', 'sqlite:nope/x?password=S3CRETPW'])(
  'messages do not show the secret of %s',
  async (catalog) => {
    for (const more of [[], ['--json']]) {
      const { code, stderr, stdout } = await runWarm(['generate', '--all', '--catalog', catalog, ...more], {
        folder: lintProject(),
      })
      expect(code).not.toBe(0)
      expect(stderr + stdout).toContain('=***')
      expect(stderr + stdout).not.toContain('S3CRETPW')
    }
  },
)
