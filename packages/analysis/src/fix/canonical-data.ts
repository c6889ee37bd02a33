/** Keys of a test for dbt itself; all others are arguments of the test. */
export const TEST_PROPERTIES: ReadonlySet<string> = new Set([
  'name',
  'test_name',
  'description',
  'config',
  'arguments',
  'where',
  'limit',
  'severity',
  'warn_if',
  'error_if',
  'fail_calc',
  'store_failures',
  'store_failures_as',
  'enabled',
  'tags',
  'meta',
  'database',
  'schema',
  'alias',
  'column_name',
  'model',
])

type Data = Readonly<Record<string, unknown>>

/** Converts YAML to the spelling of the newest dbt, so that two spellings of one meaning are equal. */
export function canonicalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalData)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === 'tests' || key === 'data_tests'
        ? ['data_tests', Array.isArray(inner) ? inner.map(canonicalTest) : canonicalData(inner)]
        : [key, canonicalData(inner)],
    ),
  )
}

function canonicalTest(test: unknown): unknown {
  if (!isMap(test)) return test
  if ('test_name' in test) return nested(test)
  return Object.fromEntries(
    Object.entries(test).map(([name, inner]) => [name, isMap(inner) ? nested(inner) : inner]),
  )
}

/** Moves all arguments of a test below `arguments`. */
function nested(test: Data): Data {
  const own = Object.entries(test).filter(([key]) => TEST_PROPERTIES.has(key) && key !== 'arguments')
  const loose = Object.entries(test).filter(([key]) => !TEST_PROPERTIES.has(key))
  const given = isMap(test['arguments']) ? test['arguments'] : {}
  return { ...Object.fromEntries(own), arguments: { ...Object.fromEntries(loose), ...given } }
}

function isMap(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
