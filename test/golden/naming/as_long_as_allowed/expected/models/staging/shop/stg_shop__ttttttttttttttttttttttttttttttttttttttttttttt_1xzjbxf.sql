with

source as (

    select * from {{ source('shop', 'ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt') }}

),

renamed as (

    select
        ---------- numerics
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,

        ---------- booleans
        a_very_long_column_name_that_fills_all_of_the_sixty_three_bytes
            as has_a_very_long_column_name_that_fills_all_of_the_sixty_1cf2vic,

        ---------- timestamps
        a_very_long_column_name_that_fills_all_of_the_sixty_three_bytex
            as a_very_long_column_name_that_fills_all_of_the_sixty_thr_1dbjsiu

    from source

)

select * from renamed
