import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configJsonSchema, configSchema } from '@stagecraft/spec'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findSchema } from '../../packages/cli/src/files/schema-reference.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

test('stagecraft schema prints it', async () => {
  const { code, stdout } = await runWarm(['schema'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(configJsonSchema())
})

test('every key says what it is for', () => {
  const silent: string[] = []
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { additionalProperties, properties } = node as Record<string, unknown>
    for (const [key, inner] of Object.entries(properties ?? {})) {
      if (!(inner as { description?: string }).description) silent.push(`${path}.${key}`)
      walk(inner, `${path}.${key}`)
    }
    walk(additionalProperties, `${path}.*`)
  }
  walk(configJsonSchema(), '')
  expect(silent).toEqual([])
})

describe('editors and stagecraft agree', () => {
  const validate = new Ajv({ strict: false }).compile(configJsonSchema())

  test.each([
    'preset: fivetran',
    'options: { freshness: false, casts: full }',
    'naming: { patterns: { timestamp: "{name}_ts" }, renames: { "*_dt": "*_date" } }',
    'sources: { stripe: { tables: { payments: { key: [id], columns: { amount: { as: cents } } } } } }',
    'preset: mine',
    'optoins: { casts: full }',
    'options: { casts: "yes" }',
    'naming: { patterns: { timestamp: ts } }',
    'sources: { stripe: { tables: { payments: { key: [] } } } }',
    'dbtVersion: 1.9',
  ])('on %s', (text) => {
    const config: unknown = parse(text)
    expect(validate(config)).toBe(configSchema.safeParse(config).success)
  })
})

describe('the line for editors', () => {
  test('leads to the package where it is installed', () => {
    const folder = temporaryFolder()
    const inside = join(folder, 'warehouse/dbt')
    mkdirSync(join(folder, 'node_modules/@stagecraft/cli'), { recursive: true })
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(folder, 'node_modules/@stagecraft/cli/stagecraft.schema.json'), '{}')
    const path = 'node_modules/@stagecraft/cli/stagecraft.schema.json'
    expect(findSchema(folder).line).toBe(`# yaml-language-server: $schema=./${path}`)
    expect(findSchema(inside)).toEqual({
      line: `# yaml-language-server: $schema=../../${path}`,
      isCopy: false,
    })
  })

  test('leads to a copy in the project elsewhere', () => {
    expect(findSchema(temporaryFolder())).toEqual({
      line: '# yaml-language-server: $schema=./.stagecraft/schema.json',
      isCopy: true,
    })
  })
})
