// Retired codes: earlier versions had one code for each field. Each maps to the code of today for its class of fault and is never
// used for something else, so that settings and scripts that name it keep working.

import type { Code } from './codes.ts';

/** Numbers of retired codes, by the code that replaced them. */
const MERGED = {
  UC2013: '1915',
  UC3601: '3603 3606 3608 3612 3615 3630 3640 3643 3684 3685 3690 3692',
  UC3604: '3623',
  UC3605: '3616',
  UC3607: '3609',
  UC3610: '3602 3611 3618 3619 3620 3626 3628 3641 3642 3651 3683',
  UC3614: '3691',
  UC3621: '3622 3682',
  UC3624: '3625 3631 3632 3655 3662',
  UC3627: '3666 3688',
  UC3644: '3645 3652 3654 3661 3670 3671 3680 3693',
  UC3656: '3663',
  UC3500: '3504',
  UC3501: '3506 3508 3509 3523',
  UC3510: '3507 3511 3512 3524',
  UC3513: '3520 3521',
  UC3514: '3503 3515 3516 3517 3518 3519 3522',
  UC3530: '3531 3533',
  UC3902: '3903 3905 3929 3943 3952 3953 3954 3955 3957',
  UC3910: '3913 3918',
  UC3911: '3912 3917 3919 3921',
  UC3914: '3915 3916 3922 3923 3924 3925 3926 3927',
  UC3928: '3920 3930 3931 3940 3942',
  UC3951: '3956',
  UC3958: '3959',
  UC3960: '3972',
  UC3971: '3973',
  UC3982: '3983 3984 3987 3988 3989 3990',
  UC3985: '3991',
  UC3301: '3308 3316',
  UC3303: '3304 3305 3307 3309 3310 3311 3312 3313 3314 3315',
  UC3330: '3331 3333 3334 3337',
  UC3351: '3352 3353 3355',
  UC3001: '3007 3011 3018 3019 3020 3022 3023',
  UC3003: '3004 3005 3008 3040 3041 3042 3043 3045 3053 3061 3062 3072 3130',
  UC3006: '3054 3055 3059 3064',
  UC3009: '3010 3012 3013 3014 3021 3030 3031',
  UC3034: '3035 3046 3047 3048 3049 3050 3051 3052 3056 3057 3060 3063 3069 3070 3071 3073 3074 3075',
  UC3065: '3066',
  UC3067: '3068',
  UC3100: '3101 3106',
  UC3120: '3121 3122 3123 3124 3125 3126 3127 3128 3129',
} as const satisfies Partial<Record<Code, string>>;

/** Codes of today with the retired ones that each of them stands for. */
export const retiredCodes = (): readonly (readonly [Code, readonly string[]])[] =>
  (Object.keys(MERGED) as (keyof typeof MERGED)[])
    .sort()
    .map((code) => [code, MERGED[code].split(' ').map((number) => `UC${number}`)] as const);

const SUCCESSORS: ReadonlyMap<string, Code> = new Map(
  retiredCodes().flatMap(([code, retired]) => retired.map((old): [string, Code] => [old, code])),
);

/** The code of today for a retired one; undefined: the text is none. */
export const successorOf = (retired: string): Code | undefined => SUCCESSORS.get(retired);
