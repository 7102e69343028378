import { LinkButton } from '../kit/LinkButton.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty, Failure } from '../kit/states.tsx'

/** A path without a page, or a page that broke. */
export function Missing({ error }: { readonly error?: unknown }) {
  if (error)
    return (
      <Page title="This page broke">
        <Failure error={error} onRetry={() => location.reload()} />
      </Page>
    )
  return (
    <Page title="Not found">
      <Empty title="There is no such page" action={<LinkButton to="/">Go to the start</LinkButton>}>
        The link may be old, or something was deleted.
      </Empty>
    </Page>
  )
}
