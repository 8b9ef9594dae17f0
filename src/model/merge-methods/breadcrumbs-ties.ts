/** Model breadcrumbs followed by the election of signs of TIES. Davari & Belilovsky 2023. */
import { withoutOutliers } from './breadcrumbs.ts'
import { deltaMethod } from './delta-method.ts'

export const breadcrumbsTies = deltaMethod({ name: 'breadcrumbs_ties', election: true, ...withoutOutliers })
