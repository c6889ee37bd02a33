import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with what takes longest, the builds by dbt, so that the other files fill the time beside them and after. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the runner that is called so
    const sorted = await super.sort(files)
    const isBuild = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/dbt/')
    return [...sorted.filter(isBuild), ...sorted.filter((file) => !isBuild(file))]
  }
}
