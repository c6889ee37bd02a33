import { type Fault, StagecraftError } from '@stagecraft/spec'

/** Creates the error for invalid input, with its faults as lines for people and as data for programs. */
export function invalidInput(faults: readonly Fault[], subject: string): StagecraftError {
  const lines = faults.map(({ expected, line, path, received }) => {
    const place = [path, ...(line === undefined ? [] : [`line ${line}`])]
      .filter((part) => part !== '')
      .join(', ')
    return `${place === '' ? subject : place}: expected ${expected}, got ${received}`
  })
  const head =
    faults.length === 1 ? `${subject} is not valid: ` : `${subject} has ${faults.length} faults:\n  `
  return new StagecraftError('INVALID_REQUEST', head + lines.join('\n  '), { details: { faults } })
}
