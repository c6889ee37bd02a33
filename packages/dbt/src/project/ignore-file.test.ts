import { expect, test } from 'vitest'
import { ignoredBy } from './ignore-file.ts'

test.each([
  ['draft.sql', ['models/draft.sql', 'models/a/draft.sql'], ['models/draft.sql.yml', 'models/my_draft.sql']],
  [
    'models/ignored/',
    ['models/ignored/a.sql', 'models/ignored/b/c.sql'],
    ['models/ignored', 'x/models/ignored/a.sql'],
  ],
  ['/models/*.sql', ['models/a.sql'], ['models/b/a.sql']],
  ['ignored', ['models/ignored/a.sql', 'ignored'], ['models/not_ignored/a.sql']],
  ['models/**/old_*.sql', ['models/old_a.sql', 'models/x/y/old_a.sql'], ['models/x/a_old_.sql']],
  ['**/old', ['old/a.sql', 'models/old/a.sql'], ['models/older/a.sql']],
  ['models/old/**', ['models/old/a.sql'], ['models/a.sql']],
  ['v[0-9]_?.sql', ['models/v1_a.sql'], ['models/vx_a.sql', 'models/v1_ab.sql']],
  ['v[!0-9].sql', ['models/va.sql'], ['models/v1.sql']],
  ['*.sql\n!kept.sql', ['models/a.sql'], ['models/kept.sql']],
  ['# models\r\n\r\n  \r\n/\r\n\\#odd.sql', ['models/#odd.sql'], ['models/a.sql']],
  ['a+(b).sql', ['models/a+(b).sql'], ['models/aab.sql']],
  ['x[z-a].sql\ny[.sql\nb.sql', ['models/b.sql', 'models/y[.sql'], ['models/xz.sql', 'models/y.sql']],
])('%j leaves out what git would', (text, ignored, kept) => {
  const isIgnored = ignoredBy(text)
  expect([...ignored, ...kept].filter(isIgnored)).toEqual(ignored)
})
