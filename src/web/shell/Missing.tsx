import { LinkButton } from '../kit/LinkButton.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty, Failure } from '../kit/states.tsx'

/** The page for an unknown path or a page that failed to render. */
export function Missing({ error }: { readonly error?: unknown }) {
  if (error)
    return (
      <Page title="This page failed">
        <Failure error={error} onRetry={() => location.reload()} />
      </Page>
    )
  return (
    <Page title="Not found">
      <Empty title="Page not found" action={<LinkButton to="/">Home</LinkButton>}>
        The link may be outdated, or the object was deleted.
      </Empty>
    </Page>
  )
}
