/** How many adjustments a conversion may have. A last one may retract it. */
export const adjustmentsMax = 100;
