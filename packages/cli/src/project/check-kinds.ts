/** The kinds of findings of `check`, with their meaning and remedy. */
export const KINDS = {
  drift: {
    severity: 'error',
    summary: 'a table changed since its model was generated',
    help: '`stagecraft plan` shows the changes, and `stagecraft apply` writes them',
  },
  new: { severity: 'error', summary: 'a table has no model yet', help: '`stagecraft apply` writes it' },
  gone: {
    severity: 'error',
    summary: 'a table was deleted from the warehouse',
    help: '`stagecraft apply --prune` removes its model, and `stagecraft forget` stops following it',
  },
  excluded: {
    severity: 'warning',
    summary: 'stagecraft.yml excludes a table that has a model',
    help: '`stagecraft apply --prune` removes the model, and `stagecraft forget` keeps it as your own; or remove `exclude` from stagecraft.yml',
  },
  deleted: {
    severity: 'error',
    summary: 'a generated file was deleted',
    help: '`stagecraft apply` writes it again, and `stagecraft forget` stops that, with `exclude: true` for a table whose schema stagecraft.yml lists',
  },
  outdated: {
    severity: 'error',
    summary: 'a file is out of date after a change of the configuration or the version',
    help: '`stagecraft apply` updates it',
  },
  conflict: {
    severity: 'error',
    summary: 'a file cannot be updated automatically',
    help: 'edit the file, or resolve it with `stagecraft apply --conflict markers`, `ours` or `theirs`',
  },
  undeclared: {
    severity: 'error',
    summary: 'the project reads a source table that no file declares',
    help: '`stagecraft apply` adds its entry again',
  },
  read: {
    severity: 'warning',
    summary: 'the project reads a model, a table or a column that no longer exists',
    help: 'change its readers: dbt fails on them',
  },
  edited: {
    severity: 'info',
    summary: 'a person edited a generated file, which is fine',
    help: 'nothing to do',
  },
  added: {
    severity: 'info',
    summary: 'a person added to a generated entry, which is fine',
    help: 'nothing to do',
  },
  foreign: {
    severity: 'info',
    summary: 'a person wrote the model of a table',
    help: '`stagecraft adopt` makes it follow its table',
  },
} as const

/** A kind of finding. */
export type Kind = keyof typeof KINDS
