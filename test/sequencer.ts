import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest: the builds by dbt, then the packages, then the other long files. */
const LONGEST = ['/test/dbt/', '/test/release/packages.long.test.ts', '.long.test.ts']

/** Begins with what takes longest, so that the other files fill the time beside them and after. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the runner that is called so
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((part) => moduleId.includes(part))
  return rank === -1 ? LONGEST.length : rank
}
