import { lazy, Suspense } from 'react'

/** A dialog of the shell. */
export type Overlay = 'palette' | 'shortcuts'

const Palette = lazy(() =>
  import('./palette/Palette.tsx').then(({ Palette: component }) => ({ default: component })),
)
const ShortcutList = lazy(() =>
  import('./ShortcutList.tsx').then(({ ShortcutList: component }) => ({ default: component })),
)

interface OverlaysProps {
  readonly open: Overlay | undefined
  readonly onClose: () => void
}

/** The open dialog of the shell; each is loaded when it is opened first. */
export function Overlays({ open, onClose }: OverlaysProps) {
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutList onClose={onClose} />}
    </Suspense>
  )
}
