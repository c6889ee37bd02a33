import { test } from 'vitest'
import { type Dbt, findDbt } from './dbt.ts'

/**
 * A test that a dbt has to run for. Where it is not installed the test is skipped and says how to get it;
 * where STAGECRAFT_REQUIRE_ALL is set it fails instead.
 */
export function testWithDbt(
  title: string,
  name: Dbt['name'],
  body: (dbt: Dbt) => Promise<void>,
  milliseconds: number,
): void {
  const dbt = findDbt(name)
  const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
  const how = dbt ? '' : ' (test/dbt/install.sh installs it)'
  test.skipIf(!dbt && !isRequired)(
    `${title} ${name}${how}`,
    { timeout: milliseconds, meta: { needs: `${name}${how}` } },
    async () => {
      if (!dbt) throw new Error(`${name} is not installed; test/dbt/install.sh installs it`)
      await body(dbt)
    },
  )
}
