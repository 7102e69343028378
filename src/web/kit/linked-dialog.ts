import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Keeps a dialog open or closed; a link to the page with `?open=name` opens it. */
export function useLinkedDialog(name: string): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  // of this page: while another one is being opened, the address is already that of the other
  const isLinked = useSearch({ strict: false, select: (search) => search['open' as never] === name })
  useEffect(() => {
    if (!isLinked) return
    setOpen(true)
    // the address is that of the page again, so that a reload does not open the dialog
    const without = ({ open: _open, ...rest }: Readonly<Record<string, unknown>>) => rest
    void navigate({ to: '.', search: without as never, replace: true })
  }, [isLinked, navigate])
  return [isOpen, setOpen]
}
