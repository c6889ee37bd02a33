import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CliResult, runWarm, temporaryFolder } from './run-cli.ts'

interface Repository {
  readonly run: (...command: readonly string[]) => Promise<CliResult>
  readonly git: (...command: readonly string[]) => number
  readonly read: (path: string) => string
  readonly write: (path: string, text: string) => void
}

const SOURCES = 'models/staging/shop/_shop__sources.yml'

/** A repository with a dbt project and a warehouse of tables. */
function repository(files: Readonly<Record<string, string>>, tables: readonly string[]): Repository {
  const folder = temporaryFolder()
  const columns = ['id', 'amount', 'tax'].map((name) => ({ name, type: 'integer' }))
  const all = {
    'dbt_project.yml': 'name: shop\n',
    'stagecraft.yml': 'dialect: duckdb\ncatalog: columns.yml\n',
    'columns.yml': JSON.stringify({
      dialect: 'duckdb',
      tables: tables.map((name) => ({ schema: 'shop', name, columns })),
    }),
    ...files,
  }
  mkdirSync(join(folder, 'models/staging/shop'), { recursive: true })
  for (const [path, text] of Object.entries(all)) writeFileSync(join(folder, path), text)
  const git: Repository['git'] = (...command) => {
    const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
    try {
      execFileSync('git', [...own, ...command], { cwd: folder, stdio: 'ignore' })
      return 0
    } catch (error) {
      return (error as { readonly status: number }).status
    }
  }
  git('init', '-q', '-b', 'main')
  return {
    git,
    run: (...command) => runWarm(command, { folder }),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => writeFileSync(join(folder, path), text),
  }
}

/** Adds a table on a branch of its own for each person, and merges the branches. */
async function addApart(
  { git, run }: Repository,
  [first, second]: readonly [string, string],
): Promise<number> {
  for (const table of [first, second]) {
    expect(git('checkout', '-q', '-b', table, 'main')).toBe(0)
    expect(await run('apply', `shop.${table}`)).toMatchObject({ code: 0 })
    expect(git('add', '.')).toBe(0)
    expect(git('commit', '-qm', table)).toBe(0)
  }
  return git('merge', '-q', '--no-edit', first)
}

function tablesOf(text: string): readonly string[] {
  const { sources } = parse(text) as {
    readonly sources: readonly { readonly tables: readonly { readonly name: string }[] }[]
  }
  return sources.flatMap(({ tables }) => tables.map(({ name }) => name))
}

test.each([
  ['generated', {}],
  ['hand-written', { [SOURCES]: 'sources:\n  - name: shop # ours\n    tables:\n      - name: loans\n' }],
])('two branches that each add a table to a %s file merge without conflict', async (_, files) => {
  const project = repository(files, ['fees', 'loans', 'rents'])
  expect(await project.run('apply', 'shop.loans')).toMatchObject({ code: 0 })
  project.git('add', '.')
  project.git('commit', '-qm', 'first')
  expect(await addApart(project, ['fees', 'rents'])).toBe(0)
  expect(tablesOf(project.read(SOURCES))).toEqual(['fees', 'loans', 'rents'])
  expect(await project.run('check')).toMatchObject({ code: 0 })
  expect((await project.run('plan')).stdout).toMatch(
    /^(?!.*(?:create|update|merge) )[^]*plan: \d unchanged\n$/,
  )
})

const MODELS = 'models/staging/shop/_shop__models.yml'
const OWN = {
  [SOURCES]: '# ours\nsources:\n  - name: shop # by hand\n    tables:\n      - name: fees # first\n',
}

/** Two branches add neighbours, and git leaves conflict markers. */
async function conflictOf(files: Readonly<Record<string, string>>): Promise<Repository> {
  const project = repository(files, ['fees', 'loans', 'rents'])
  expect(await project.run('apply', 'shop.fees')).toMatchObject({ code: 0 })
  project.git('add', '.')
  project.git('commit', '-qm', 'first')
  expect(await addApart(project, ['loans', 'rents'])).not.toBe(0)
  return project
}

async function expectWhole(project: Repository): Promise<void> {
  expect(tablesOf(project.read(SOURCES))).toEqual(['fees', 'loans', 'rents'])
  for (const table of ['fees', 'loans', 'rents'])
    expect(project.read(MODELS).split(`- name: stg_shop__${table}\n`)).toHaveLength(2)
  expect(await project.run('check')).toMatchObject({ code: 0 })
  expect((await project.run('plan')).stdout).toMatch(/^plan: \d unchanged\n$/)
}

test.each([
  ['generated', {}],
  ['edited', OWN],
])('apply keeps both sides of a conflict of new neighbours in a %s file', async (kind, files) => {
  const project = await conflictOf(files)
  const check = await project.run('check')
  expect(check.code).toBe(1)
  expect(check.stdout).toMatch(
    /_shop__sources\.yml:\d+:1 error\[conflict\] the file has conflict markers around additions of both sides\n.*stagecraft apply` keeps both/,
  )
  expect((await project.run('plan')).stdout).toContain("it keeps the entries of both sides of git's conflict")
  const saved = await project.run('plan', '--out', 'changes.json')
  expect(saved.code).toBe(0)
  expect(await project.run('apply', '--plan', 'changes.json')).toMatchObject({ code: 0 })
  await expectWhole(project)
  expect(await project.run('undo')).toMatchObject({ code: 0 })
  expect(project.read(SOURCES)).toContain('<<<<<<< ')
  expect(await project.run('apply')).toMatchObject({ code: 0 })
  await expectWhole(project)
  if (kind === 'edited') {
    for (const part of ['# ours\n', '# by hand\n', '# first\n'])
      expect(project.read(SOURCES).split(part)).toHaveLength(2)
    return
  }
  const alone = repository({}, ['fees', 'loans', 'rents'])
  expect(await alone.run('apply', 'shop.*')).toMatchObject({ code: 0 })
  for (const path of [SOURCES, MODELS]) expect(project.read(path)).toBe(alone.read(path))
})

test('after a merge that kept one side of generated files, apply adds the rest', async () => {
  const project = await conflictOf({})
  project.git('checkout', '-q', '--ours', 'models')
  project.git('add', '.')
  project.git('commit', '-qm', 'merged')
  expect(await project.run('apply')).toMatchObject({ code: 0 })
  await expectWhole(project)
})

test('after a merge that kept one side of an edited file, the plan says how the other comes back', async () => {
  const edited = '# by hand\nmodels:\n  - name: stg_shop__fees\n'
  const project = await conflictOf({ [MODELS]: edited })
  project.git('checkout', '-q', '--ours', 'models')
  project.git('add', '.')
  project.git('commit', '-qm', 'merged')
  expect((await project.run('plan')).stdout).toContain(
    'stg_shop__loans was removed by hand and is not added again; to add it again, apply this plan, then run stagecraft forget stg_shop__loans, stagecraft adopt with the file of its model, and stagecraft apply\n',
  )
  expect(await project.run('apply')).toMatchObject({ code: 0 })
  expect(await project.run('forget', 'stg_shop__loans')).toMatchObject({ code: 0 })
  expect(await project.run('adopt', 'models/staging/shop/stg_shop__loans.sql')).toMatchObject({ code: 0 })
  expect(await project.run('apply', '--allow-dirty')).toMatchObject({ code: 0 })
  await expectWhole(project)
  expect(project.read(MODELS)).toContain('# by hand')
})

test('a conflict in which both sides changed a line is left to a person, who keeps the entries of both', async () => {
  const project = await conflictOf(OWN)
  const path = SOURCES
  project.write(
    path,
    project.read(path).replace('- name: loans\n', '- name: rents\n        description: x\n'),
  )
  const text = project.read(path)
  const plan = await project.run('plan')
  expect(plan.stdout).toContain('keep the entries of both sides, remove the markers, and plan again')
  expect((await project.run('check')).stdout).toContain(
    'keep the entries of both sides, and remove the markers',
  )
  expect(await project.run('apply')).not.toMatchObject({ code: 0 })
  expect(project.read(path)).toBe(text)
})

const withColumns = (...names: readonly string[]): string =>
  JSON.stringify({
    dialect: 'duckdb',
    tables: [{ schema: 'shop', name: 'loans', columns: names.map((name) => ({ name, type: 'integer' })) }],
  })

const MODEL = 'models/staging/shop/stg_shop__loans.sql'

test.each([
  ['without conflict', ['id', 'first', 'amount', 'tax'], ['id', 'amount', 'tax', 'last'], true],
  ['with git resolved by hand', ['id', 'amount', 'tax', 'first'], ['id', 'amount', 'tax', 'last'], false],
])(
  'two branches that change one table merge %s, and the next apply has both changes',
  async (_, ours, theirs, isClean) => {
    const project = repository(
      { 'stagecraft.yml': 'dialect: duckdb\ncatalog: columns.yml\noptions: { columnOrder: source }\n' },
      ['loans'],
    )
    project.write('columns.yml', withColumns('id', 'amount', 'tax'))
    expect(await project.run('apply', 'shop.loans')).toMatchObject({ code: 0 })
    project.write(
      MODEL,
      project.read(MODEL).replace('select * from renamed', '-- by hand\nselect * from renamed'),
    )
    project.git('add', '.')
    project.git('commit', '-qm', 'first')
    for (const [branch, columns] of [
      ['ours', ours],
      ['theirs', theirs],
    ] as const) {
      expect(project.git('checkout', '-q', '-b', branch, 'main')).toBe(0)
      project.write('columns.yml', withColumns(...columns))
      expect(await project.run('apply', 'shop.loans')).toMatchObject({ code: 0 })
      project.git('checkout', 'columns.yml')
      project.git('add', '.')
      project.git('commit', '-qm', branch)
    }
    const isMerged = project.git('merge', '-q', '--no-edit', 'ours') === 0
    expect(isMerged).toBe(isClean)
    expect(project.read('stagecraft.lock').match(/^,"shop.loans"/gm)).toHaveLength(2)
    if (!isMerged) project.git('checkout', '--theirs', 'models')
    project.write('columns.yml', withColumns('id', 'first', 'amount', 'tax', 'last'))
    const applied = await project.run('apply', '--allow-dirty')
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.stderr).toContain('two branches changed shop.loans in stagecraft.lock')
    expect(project.read('stagecraft.lock').match(/^,"shop.loans"/gm)).toHaveLength(1)
    const sql = project.read(MODEL)
    for (const part of ['first', 'last', '-- by hand']) expect(sql.split(part)).toHaveLength(2)
    expect(await project.run('check')).toMatchObject({ code: 0, stderr: '' })
  },
)
