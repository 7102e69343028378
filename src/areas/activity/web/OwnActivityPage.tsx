import { Page } from '../../../web/kit/Page.tsx'
import { ActivityList } from './ActivityList.tsx'

/** What the signed-in user did. */
export function OwnActivityPage() {
  return (
    <Page title="My activity" about="Every change that you made, newest first.">
      <ActivityList whose="mine" />
    </Page>
  )
}
