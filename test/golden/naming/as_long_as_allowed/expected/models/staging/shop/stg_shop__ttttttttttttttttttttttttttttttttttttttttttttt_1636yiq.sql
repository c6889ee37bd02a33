with

source as (

    select * from {{ source('shop', 'ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt') }}

),

renamed as (

    select
        ---------- numerics
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,

        ---------- booleans
        a_very_long_column_name_that_fills_all_of_the_sixty_three_bytes,

        ---------- timestamps
        a_very_long_column_name_that_fills_all_of_the_sixty_three_bytex

    from source

)

select * from renamed
