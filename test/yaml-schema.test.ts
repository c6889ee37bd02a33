import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { producedFiles } from './golden-files.ts'
import { repositoryPath } from './paths.ts'

const folder = 'test/fixtures/dbt-yaml-schema'

/** dbt's own schemas of property files: that of the v2 engine, and that of dbt Core 1.12. */
const schemas = {
  'dbt_yml_files-latest-fusion.json': compile('dbt_yml_files-latest-fusion.json'),
  'resources-core-1.12.json': compile('resources-core-1.12.json'),
}

function compile(file: string): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  return ajv.compile(JSON.parse(readFileSync(repositoryPath(`${folder}/${file}`), 'utf8')) as object)
}

function faultsOf(validate: ValidateFunction, text: string): readonly string[] {
  if (validate(parse(text))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const files = (await producedFiles()).filter(({ path }) => path.endsWith('.yml'))
const modern = files.filter(({ golden }) => !/dbt_versions\/(?!modern)|dbt_1_8/.test(golden.name))

test.each(Object.entries(schemas))(
  '%s accepts the YAML of every golden case for today’s dbt',
  (_, validate) => {
    const faults = modern.flatMap(({ content, golden, path }) =>
      faultsOf(validate, content).map((fault) => `${golden.name} ${path}: ${fault}`),
    )
    expect(faults).toEqual([])
  },
)

test.each(Object.entries(schemas))(
  '%s refuses a deprecated shape, so that it proves something',
  (_, validate) => {
    const text = readFileSync(repositoryPath(`${folder}/deprecated-shape.invalid.yml`), 'utf8')
    expect(faultsOf(validate, text).length).toBeGreaterThan(3)
  },
)
