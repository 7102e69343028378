import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

const key = 'hostreeve.menu'
const atOnce = { getInitialValueInEffect: false }

/** The width of the menu: icons alone between phones and 1024 px, above that as the reader has chosen. */
export interface MenuWidth {
  readonly isNarrow: boolean
  readonly canChoose: boolean
  toggle(): void
}

/** Returns the width of the menu; the choice is remembered in this browser. */
export function useMenuWidth(): MenuWidth {
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, atOnce)
  const canChoose = useMediaQuery('(min-width: 64em)', undefined, atOnce)
  const [isChosen, setChosen] = useState(() => localStorage.getItem(key) === 'narrow')
  const toggle = () => {
    localStorage.setItem(key, isChosen ? 'wide' : 'narrow')
    setChosen(!isChosen)
  }
  return { isNarrow: !isPhone && (!canChoose || isChosen), canChoose: canChoose === true, toggle }
}
