// The flows of the dashboard, end to end: the service on both stores, a receiver of webhooks, and a browser.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from '../browser.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { auditPage } from './audit-page.ts'
import { refuseOthers, refusePlanted, standFailures } from './flows/attacks.ts'
import { outlastStop } from './flows/away.ts'
import { goByKeys } from './flows/keyboard.ts'
import { issueKey, makeFirstKey, makeProject, refuseWrongKey, replaceKey, signOut } from './flows/keys.ts'
import { holdMany } from './flows/many.ts'
import { keepHeads, keepTyped, showDrift } from './flows/people.ts'
import { limitScan } from './flows/scans.ts'
import { ask, changeSettings } from './flows/project.ts'
import { propose } from './flows/proposals.ts'
import { chooseLook, copyPage, shareStream, showNothing, showRefusals } from './flows/states.ts'
import {
  followChanges,
  generateMany,
  generateUnit,
  goBack,
  jump,
  showEvidence,
  showFindings,
  showSource,
} from './flows/units.ts'
import { deliver, deliverAgain } from './flows/webhooks.ts'
import { openWorld, type World } from './open-world.ts'

const server = await postgresServer()

/** What is looked at: in this order, since later ones use what earlier ones made. */
const FLOWS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'a wrong key is refused with the reason, and nothing of it stays in the page': refuseWrongKey,
  'a key is created, shown once, used, and seen as used; revoked, it signs out at once': issueKey,
  'a key is replaced, and both open the project for a day': replaceKey,
  'a webhook is created; a delivery fails, and arrives once the receiver is well': deliver,
  'of all deliveries, those that the filter selects are counted first, and delivered again': deliverAgain,
  'a unit shows its SQL in colours and its name as text, and what a new generation changed': generateUnit,
  'a column shows its evidence, and a unit its diff with a branch': showEvidence,
  'a source shows what its rows are like': showSource,
  'Ctrl-K jumps to a page, a unit or a source': jump,
  'tables that a pattern selects are counted first, and generated': generateMany,
  'a scan reads no rows of tables that are too large, and says what it reads': limitScan,
  'what changes elsewhere is shown without loading anew': followChanges,
  'filters stand in the address, and Back leads to the page before': goBack,
  'findings have a trend and filters, and their fixes are planned': showFindings,
  'a question is answered with its places': ask,
  'a proposal is planned, refused where its files changed, asked for anew, pushed, and discarded': propose,
  'settings are changed, and faults are named': changeSettings,
  'a project is created with its key, and deleted by its name': makeProject,
  'a unit whose table has changed says so, and each generation who asked': showDrift,
  'the sign-out ends the session, in every tab': signOut,
}

/** What has nothing to do with the store. */
const TROUBLE: typeof FLOWS = {
  'the sign-in names a command that makes a key': makeFirstKey,
  'pages of others can neither frame the dashboard nor change anything': refuseOthers,
  'a session that was planted is not the one that is opened': refusePlanted,
  'a session that ends leaves what was typed': keepTyped,
  'everything is done by keys alone, and the focus is always seen': goByKeys,
  'a service that stops is told, and the page goes on once it is back, with what was typed': outlastStop,
  'long tables keep their heads, and ids are copied': keepHeads,
  'a slow and a failing server are told, and asked again': standFailures,
  'a new project says on each page that there is nothing yet': showNothing,
  'each page says which scope it needs, and which request failed': showRefusals,
  'of two tabs one reads the stream for both': shareStream,
  'a page can be had as curl': copyPage,
  'times, rows and colours are as they were chosen': chooseLook,
}

const LISTS =
  '/ /webhooks /webhooks/new /deliveries /keys /units /generations /connections /scans /sources /pushes /events /settings /settings?tab=project /settings?tab=connection /settings?tab=git /settings?tab=model /nowhere /findings /assistant /audit /projects /bulk?look=1'

describeWithBrowser('the dashboard', () => {
  describeWithServer('on both stores', server, () => {
    let browser: Browser
    let worlds: readonly World[] = []
    const onBoth = (flow: (world: World) => Promise<void>) => Promise.all(worlds.map(flow))

    beforeAll(async () => {
      browser = await launchBrowser()
      worlds = await Promise.all([openWorld(browser), openWorld(browser, server.url)])
    }, 240_000)

    afterAll(async () => {
      await browser?.close()
      await onBoth((world) => world.close())
    })

    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    })

    test.each(Object.entries(FLOWS))('%s', async (_, flow) => {
      await expect(onBoth(flow)).resolves.toHaveLength(2)
    })

    test.each(Object.entries(TROUBLE))('%s', async (_, flow) => {
      await expect(flow(worlds[0] as World)).resolves.toBeUndefined()
    })

    test('every page is accessible in both schemes, and fits a phone', async () => {
      const { ids, signIn } = worlds[0] as World
      const details = `/webhooks/${ids.webhook} /deliveries/${ids.delivery} /units/${ids.unit} /units/${ids.unit}?view=columns&column=id /generations/${ids.batch} /scans/${ids.scan} /sources/${ids.source} /pushes/${ids.push} /findings/${ids.analysis} /assistant/${ids.conversation}`
      const paths = `${LISTS} ${details}`.split(' ')
      const look = async () => {
        const { complaints, follow, open, page } = await signIn()
        await open('/')
        for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
          await follow(path)
          expect(await auditPage(page), path).toEqual([])
          expect(await page.locator('main img').count()).toBe(0)
        }
        await page.keyboard.press('Control+k')
        await page.getByRole('listbox').waitFor()
        expect(await auditPage(page), 'Ctrl-K').toEqual([])
        expect(complaints).toEqual([])
      }
      await Promise.all([look(), look()])
    }, 240_000)

    test('with ten thousand of everything, pages stay small, lead on and find', async () => {
      await expect(holdMany(worlds[0] as World)).resolves.toBeUndefined()
    }, 240_000)
  })
})
