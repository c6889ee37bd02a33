import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import type { JumpProps } from './jump.tsx'

interface PaletteProps extends Pick<JumpProps, 'pages'> {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

/** Opens on Ctrl-K or ⌘-K. Its code is loaded on first use. */
export function Palette({ isOpen, pages, setOpen }: PaletteProps) {
  const { say } = useSession()
  const [loaded, setLoaded] = useState<{ readonly Jump: ComponentType<JumpProps> }>()
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  useEffect(() => {
    if (!isOpen || loaded) return
    import('../pages/index.ts').then(setLoaded, (error: unknown) => {
      setOpen(false)
      say(messageOf(error))
    })
  }, [isOpen])
  return isOpen && loaded ? <loaded.Jump pages={pages} onClose={() => setOpen(false)} /> : null
}
