/** The names of migrations that undo another: the part of the name and its counterpart. */
const WAYS_BACK: readonly (readonly [back: RegExp, forth: readonly string[]])[] = [
  [/([._-])down\.sql$/i, ['$1up.sql', '.sql']], // golang-migrate, sqlx, Diesel's files in one folder
  [/(^|\/)down\.sql$/i, ['$1up.sql']], // Hasura, Diesel
  [/([._-])(?:undo|rollback|revert)\.sql$/i, ['.sql', '$1do.sql', '$1up.sql', '$1apply.sql']], // Postgrator, Phinx
  [/(^|\/)U(\d[^/]*)\.sql$/, ['$1V$2.sql']], // Flyway
  [/(^|\/)(?:revert|verify)\/([^/]+)$/i, ['$1deploy/$2']], // Sqitch
]

/** Marks between the way there and the way back in one file. */
const SECTIONS: readonly { readonly up?: RegExp; readonly down: RegExp }[] = [
  { up: /^--\s*\+goose\s+Up\b/im, down: /^--\s*\+goose\s+Down\b/im },
  { up: /^--\s*\+migrate\s+Up\b/im, down: /^--\s*\+migrate\s+Down\b/im }, // sql-migrate
  { up: /^--\s*migrate:up\b/im, down: /^--\s*migrate:down\b/im }, // dbmate
  { up: /^--\s*Up\s+Migration\b/im, down: /^--\s*Down\s+Migration\b/im }, // node-pg-migrate
  { up: /^(?:#|--)\s*-*\s*!Ups\b/im, down: /^(?:#|--)\s*-*\s*!Downs\b/im }, // Play evolutions
  { up: /^--+\s*Up\s*$/im, down: /^--+\s*Down\s*$/im }, // sqlite's client for Node
  { down: /^-{2,}\s*create above\s*\/\s*drop below\b/im }, // tern
  { up: /^--\s*\/\/\s/m, down: /^--\s*\/\/\s*@UNDO\b/im }, // MyBatis Migrations
]

/** The number of characters in which the first mark of a migration is looked for; a long body may follow. */
const HEAD = 100_000

/** Leaves out the files of migrations that undo another file of the list. */
export function onlyForward(names: readonly string[]): readonly string[] {
  const all = new Set(names.map((name) => name.toLowerCase()))
  return names.filter(
    (name) =>
      !WAYS_BACK.some(
        ([back, forth]) =>
          back.test(name) && forth.some((form) => all.has(name.replace(back, form).toLowerCase())),
      ),
  )
}

/** Returns a migration without the part that undoes it; its lines keep their numbers. */
export function upSection(sql: string): string {
  return SECTIONS.reduce((text, { down, up }) => {
    const end = !up || up.test(text.slice(0, HEAD)) ? down.exec(text) : undefined
    if (!end) return text
    const next = up?.exec(text.slice(end.index + 1))
    const from = next && next.index > 0 ? end.index + 1 + next.index : text.length
    return text.slice(0, end.index) + text.slice(end.index, from).replace(/[^\n]+/g, '') + text.slice(from)
  }, sql)
}
