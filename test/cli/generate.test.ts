import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorEnvelopeSchema, type SuccessEnvelope, successEnvelopeSchema } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { type CliOptions, type CliResult, runCli, runWarm, temporaryFolder } from './run-cli.ts'

const catalog = repositoryPath('test/cli/columns.yml')

function generate(parameters: readonly string[], options?: CliOptions): Promise<CliResult> {
  const own = parameters.includes('--catalog') ? [] : ['--catalog', catalog]
  return runWarm(['generate', ...own, ...parameters], options)
}

function json(text: string): unknown {
  return JSON.parse(text)
}

describe('printing', () => {
  test('prints the files, each under its path, and nothing else', async () => {
    const { code, stderr, stdout } = await generate(['shop.orders'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('PARENT_NOT_STAGED') })
    expect(stdout.match(/^(?:--|#) models.*$/gm)).toEqual([
      '# models/staging/shop/_shop__models.yml',
      '# models/staging/shop/_shop__sources.yml',
      '-- models/staging/shop/stg_shop__orders.sql',
    ])
    expect(stdout).toContain('customerid as customer_id')
  })

  test('has tests and docs unless they are switched off', async () => {
    const on = await generate(['shop.*'])
    expect(on.stdout).toContain("to: ref('stg_shop__customers')")
    expect(on.stdout).toContain('description: Where invoices go')
    const off = await generate(['shop.*', '--no-tests', '--no-docs'])
    expect(off.stdout).not.toMatch(/data_tests:|description:/)
  })

  test('takes dialect, kind, preset and dbt version', async () => {
    const { stdout } = await generate(['crm.accounts', '--dialect', 'bigquery', '--type', 'base'])
    expect(stdout).toContain('base_crm__accounts.sql')
    expect((await generate(['crm.accounts', '--preset', 'fivetran'])).stdout).toContain('stg_crm__account')
    expect((await generate(['shop.*', '--dbt-version', '1.8'])).stdout).not.toContain('arguments:')
  })

  test('counts models without a test of a key in one line, however they are asked for', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'columns.json')
    const tables = ['visits', 'clicks'].map((name) => ({
      schema: 'web',
      name,
      columns: [{ name: 'url', type: 'text' }],
    }))
    writeFileSync(path, JSON.stringify({ dialect: 'postgres', tables }))
    const count = async (...parameters: readonly string[]): Promise<readonly string[]> => {
      const { stderr } = await runWarm(['generate', ...parameters, '--catalog', path], { folder })
      return stderr.match(/^warning\[KEYS_NOT_TESTED\] \d+ models? ha.*$/gm) ?? []
    }
    const [printed, asJson, written] = await Promise.all([
      count('web.visits'),
      count('web.visits', 'web.clicks', '--json'),
      count('web.visits', '--out', 'a', '--json'),
    ])
    expect(printed).toEqual([
      'warning[KEYS_NOT_TESTED] 1 model has no test of a key, because no key is known: stg_web__visits',
    ])
    expect({ asJson, written }).toEqual({
      asJson: [expect.stringContaining('2 models have')],
      written: printed,
    })
  })

  test('writes no colours into a pipe', async () => {
    const parameters = ['generate', '--catalog', catalog, 'shop.orders']
    const { stderr, stdout } = await runCli(parameters, { env: { NO_COLOR: '' } })
    expect(stdout + stderr).not.toContain('\u001b')
  })
})

describe('JSON', () => {
  test('is one success envelope for one name', async () => {
    const { code, stderr, stdout } = await generate(['shop.customers', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const envelope = successEnvelopeSchema.parse(json(stdout))
    expect(envelope.data.code).toMatch(/^with\n/)
    expect(envelope.data.schema).toMatch(/^version: 2\n\nmodels:\n/)
    expect(envelope.data.tests).toEqual(['not_null', 'unique'])
  })

  test('is a list for several names, in their order, and for a pattern', async () => {
    const list = successEnvelopeSchema.array()
    const several = await generate(['shop.orders', 'crm.accounts', 'shop.customers', '--json'])
    expect(list.parse(json(several.stdout)).map(modelOf)).toEqual([
      'stg_shop__orders',
      'stg_crm__accounts',
      'stg_shop__customers',
    ])
    const pattern = await generate(['crm.*', '--json'])
    expect(list.parse(json(pattern.stdout)).map(modelOf)).toEqual(['stg_crm__accounts'])
  })

  test('has the error of a name in its place, and exits with its code', async () => {
    const { code, stderr, stdout } = await generate(['shop.order', 'shop.*', 'crm..x', '--json'])
    const envelopes = json(stdout) as readonly unknown[]
    expect({ code, stderr, count: envelopes.length }).toEqual({ code: 3, stderr: '', count: 4 })
    expect(envelopes[0]).toMatchObject({ success: false, error: { code: 'INVALID_SOURCE' } })
    expect(successEnvelopeSchema.parse(envelopes[1]).data.code).toContain("source('shop', 'customers')")
    expect(successEnvelopeSchema.parse(envelopes[2]).data.code).toContain("source('shop', 'orders')")
    expect(errorEnvelopeSchema.parse(envelopes[3]).error.code).toBe('INVALID_REQUEST')
  })

  test.each([
    [3, 'INVALID_SOURCE', ['shop.order', '--json']],
    [2, 'INVALID_REQUEST', ['shop.orders', '--type', 'mart', '--json']],
    [2, 'INVALID_REQUEST', ['shop.orders', '--nonsense', '--json']],
    [2, 'INVALID_REQUEST', ['--json']],
    [4, 'CONNECTION_FAILED', ['a.b', '--json', '--catalog', 'postgres://me:hunter2@127.0.0.1:1/db']],
  ])('of a failure exits with %d for %s', async (exit, code, parameters) => {
    const result = await generate(parameters)
    expect(result).toMatchObject({ code: exit, stderr: '' })
    expect(errorEnvelopeSchema.parse(json(result.stdout)).error.code).toBe(code)
    expect(result.stdout).not.toContain('hunter2')
  })
})

describe('an error', () => {
  test.each([
    [
      2,
      ['shop..orders'],
      'error[INVALID_REQUEST] source: expected a name, or a name in quotes, got "." at position 6',
    ],
    [2, ['*'], 'stripe.* takes all tables of the schema stripe, and --all on the command line those of all'],
    [3, ['shop.order'], 'error[INVALID_SOURCE] source shop.order: no table order in the schema shop of'],
    [2, ['shop.orders', '--type', 'mart'], 'Allowed choices are staging, base, snapshot'],
    [2, ['shop.orders', '--all'], 'got names and --all'],
    [
      2,
      ['shop.orders', '--config', 'gone.yml'],
      '--config: expected a file, got gone.yml, which does not exist',
    ],
    [2, ['a.b', '--catalog', 'nothing'], 'catalog: expected a path that ends in .duckdb, '],
  ])('exits with %d: %j', async (code, parameters, message) => {
    const result = await generate(parameters)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(message)
    expect(result.stderr).not.toMatch(/^ +at /m)
    if (code === 3) expect(result.stderr).toContain('did you mean orders?')
  })

  test('says what a template printed that it should not', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'model.njk'), 'select nothing from {{ plan.source.expression }} where\n')
    writeFileSync(join(folder, 'stagecraft.yml'), 'templates:\n  staging.sql: model.njk\n')
    const { code, stderr } = await generate(['shop.orders'], { folder })
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('GENERATION_FAILED') })
  })
})

test('templates outside of the project are read when the user allows their folder', async () => {
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'staging.njk'), 'select 1 as outside from {{ <$ plan.input $> }}\n')
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'stagecraft.yml'),
    `templates:\n  staging.sql: ${join(outside, 'staging.njk')}\n`,
  )
  const refused = await generate(['shop.orders'], { folder })
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('templates.staging.sql'),
  })
  expect(refused.stderr).toContain(`STAGECRAFT_CONFIG_FOLDERS=${outside}`)
  const env = { STAGECRAFT_CONFIG_FOLDERS: outside }
  const { code, stdout } = await generate(['shop.orders'], { folder, env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('select 1 as outside') })
})

test('stagecraft.yml is read from the folder, and its catalog may be a variable', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: env:RAW\npreset: dbt-codegen\n')
  const unset = await runWarm(['generate', 'crm.accounts'], { folder })
  expect(unset).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('variable RAW') })
  const { code, stdout } = await runWarm(['generate', 'crm.accounts'], { folder, env: { RAW: catalog } })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('with source as (') })
})

test.each([
  ['hunter2', []],
  ['hunter2:tail', ['--json']],
  ['a.yml?dialect=hunter2', ['--catalog', 'env:RAW']],
  ['postgres://u:hunter2/x@h/d', []],
])('what a variable holds is not shown when it is no address: %s %j', async (secret, flags) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: env:RAW\n')
  const result = await runWarm(['generate', 'crm.accounts', ...flags], { folder, env: { RAW: secret } })
  expect(result.code).toBe(2)
  expect(result.stdout + result.stderr).not.toContain('hunter2')
  expect(result.stdout + result.stderr).toMatch(/catalog: expected (?:in the variable RAW )?an address/)
})

test('a reader that stops early is no error', async () => {
  const { spawnSync } = await import('node:child_process')
  const bin = repositoryPath('packages/cli/src/bin.ts')
  const line = `"${process.execPath}" "${bin}" generate --all --catalog "${catalog}" | head -n 1; echo "\${PIPESTATUS[0]}"`
  const { stderr, stdout } = spawnSync('bash', ['-c', line], { encoding: 'utf8' })
  expect(stdout.trim().split('\n').at(-1)).toBe('0')
  expect(stderr).not.toContain('EPIPE')
})

function modelOf({ data }: SuccessEnvelope): string {
  return /stg_\w+/.exec(data.schema)?.[0] ?? ''
}
