import { useParams } from '@tanstack/react-router'

/** The id of the website whose page is open. */
export const useWebsiteId = (): number => Number((useParams({ strict: false }) as { id?: string }).id)
