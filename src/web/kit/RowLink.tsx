import { defaultStringifySearch, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface Place {
  readonly to: string
  readonly search?: Readonly<Record<string, string | number>>
}

interface RowLinkProps extends Place {
  readonly className?: string | undefined
  readonly tabIndex?: number
  readonly title?: string | undefined
  readonly children: ReactNode
}

/** A link to another page for long lists; it renders a bare anchor to stay fast. */
export function RowLink({ to, search, children, ...look }: RowLinkProps) {
  const go = useGo()
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go({ to, ...(search && { search }) })
  }
  return (
    <a {...look} href={hrefOf({ to, ...(search && { search }) })} onClick={open} draggable={false}>
      {children}
    </a>
  )
}

/** Returns a function that opens another page. */
export function useGo(): (place: Place) => void {
  const { history } = useRouter()
  return (place) => history.push(hrefOf(place))
}

/** Returns the URL of a page. */
export function hrefOf({ to, search = {} }: Place): string {
  return to + defaultStringifySearch(search)
}
