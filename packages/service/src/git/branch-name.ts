const LONGEST = 200
// Characters that `git check-ref-format` refuses anywhere in a name: control characters, space, ~ ^ : ? * [ \ and
// others.
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/u

/**
 * Returns the form expected of a branch name, in words that follow "expected"; undefined for a valid name.
 *
 * @see https://git-scm.com/docs/git-check-ref-format
 */
export function branchProblem(name: string): string | undefined {
  if (name === '' || Buffer.byteLength(name) > LONGEST) return `1 to ${LONGEST} bytes`
  if (name.startsWith('-')) return 'a name that does not begin with -'
  if (/^[./]|[./]$/.test(name)) return 'a name that neither begins nor ends with . or /'
  if (name.startsWith('refs/')) return 'the name alone, without refs/heads/'
  if (name === '@' || name === 'HEAD') return 'the name of a branch'
  if (!name.isWellFormed()) return 'text that can be written as UTF-8'
  if (FORBIDDEN.test(name)) return 'a name without spaces, .., //, /., .lock, @{ and ~ ^ : ? * [ \\'
  return undefined
}
