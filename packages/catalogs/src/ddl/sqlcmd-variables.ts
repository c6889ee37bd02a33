const SETS_VARIABLE = /^[ \t]*:setvar\b/im
const LINE = /^[ \t]*:setvar[ \t]+(\w+)(?:[ \t]+("(?:[^"]|"")*"|\S+))?/i
const USE = /\$\((\w+)\)/g

/**
 * Puts the values of sqlcmd's variables in their places: `$(Schema)` behind a line `:setvar Schema "sales"`. A variable
 * without a value stays as it is, and every line keeps its number.
 * https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-use-scripting-variables
 */
export function expandVariables(sql: string): string {
  if (!SETS_VARIABLE.test(sql)) return sql
  const values = new Map<string, string>()
  const lines = sql.split('\n').map((line) => {
    const set = LINE.exec(line)
    if (!set) return line.replace(USE, (use, name: string) => values.get(name.toLowerCase()) ?? use)
    const [, name = '', value] = set
    if (value === undefined) values.delete(name.toLowerCase())
    else values.set(name.toLowerCase(), unquote(value))
    return line
  })
  return lines.join('\n')
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value
}
