import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest: the builds by dbt and what takes minutes too, then the other long files. */
const LONGEST = [
  /\/test\/dbt\/(?:build|options)\./,
  /\/test\/(?:release\/packages|service\/push-kills|dashboard\/dashboard|lint\/fixed)\.long\./,
  /\/test\/dbt\//,
  /\.long\.test\.ts$/,
]

/** Begins with what takes longest, so that the other files fill the time beside them and after. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the runner that is called so
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((part) => part.test(moduleId))
  return rank === -1 ? LONGEST.length : rank
}
